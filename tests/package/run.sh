#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs one package test, as another project would be built. Settings come from the environment:
# GENERATOR, CXX, FC, LAUNCHER, BUILD_TYPE, UNITY, BATCH (of unity builds), OPTIMIZE, WERROR, MPI (arguments for
# CMake), LIBDIR (relative to the prefix), RUN (starts an MPI program). Daptor is compiled as in the main build, so
# that a compiler cache helps.
# In an argument for CMake, a comma stands for a semicolon.
#
#   run.sh install <build> <prefix>
#   run.sh build <source> <build> <prefix> [<cmake argument>...]      Daptor itself
#   run.sh consume <source> <build> [<cmake argument>...]             a consumer; it must run
#   run.sh refuse <text> <source> <build> [<cmake argument>...]       configuring must fail, saying this
#   run.sh foreign <cc> <source> <prefix>                             the libraries Toy, Spool and Fixed
#   run.sh tests <build> <test>...                                    these, of another build
#   run.sh expect <text> <program> [<argument>...]                    it must end well, saying this
#   run.sh refuse-release <text> <prefix> <folder> <header> <module>  compiling must fail, saying this, where the
#                                                                     headers of the folder come first
#   run.sh pkg-config <prefix> <build> <source.cpp> <module>...       a consumer without CMake
#   run.sh archives <installed> <prefix> <folder> <component>...      a prefix with the same headers, archives of the
#                                                                     objects that <folder>/<component>.objects lists,
#                                                                     and the .pc files of the folder
#   run.sh archives-test <prefix> <component>...                      archives_test.py
#   run.sh everything <prefix> <build> <parts> <component>...         tests/package/everything, with CMake; each part
#                                                                     must run
#   run.sh everything-pkg-config <prefix> <build> <parts> <component>...  the same without, linked in both orders
set -euo pipefail

configure() { # <fresh or empty> <source> <build> <argument>...
  local fresh=$1 source=$2 build=$3
  shift 3
  cmake $fresh -S "$source" -B "$build" -G "$GENERATOR" -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$LAUNCHER" -DCMAKE_BUILD_TYPE="$BUILD_TYPE" \
    -DCMAKE_UNITY_BUILD="$UNITY" \
    -DDAPTOR_WERROR="$WERROR" $MPI --no-warn-unused-cli "${@//,/;}"
}

run_consumer() { # <program> [<argument>...]
  local output
  output=$($RUN "$@")
  echo "$output"
  grep -q "works\." <<<"$output" || { echo "The consumer did not say that it works."; exit 1; }
}

everything=$(dirname "$0")/everything

# run_parts <program> <folder of parts.inc>
run_parts() {
  local part
  for part in "" $(sed -n 's/^\(FORTRAN_\)\?PART(\(.*\))$/\2/p' "$2/parts.inc"); do
    run_consumer "$1" $part
  done
}

action=$1
shift
case $action in
  install)
    rm -rf "$2"
    cmake --install "$1" --prefix "$2"
    ;;
  build)
    source=$1 build=$2 prefix=$3
    shift 3
    rm -rf "$prefix"
    LAUNCHER= # Daptor finds the compiler cache by itself, with the settings for precompiled headers
    configure "" "$source" "$build" -DCMAKE_INSTALL_LIBDIR="$LIBDIR" -DDAPTOR_BUILD_TESTS=OFF \
      -DDAPTOR_BUILD_EXAMPLES=OFF -DCMAKE_UNITY_BUILD_BATCH_SIZE="$BATCH" -DDAPTOR_OPTIMIZE="$OPTIMIZE" "$@"
    cmake --build "$build" --parallel 2
    cmake --install "$build" --prefix "$prefix"
    ;;
  consume)
    configure --fresh "$@"
    cmake --build "$2" --parallel 2
    run_consumer "$2/consumer"
    ;;
  foreign)
    cc=$1 source=$2 prefix=$3
    rm -rf "$prefix"
    mkdir -p "$prefix/lib/pkgconfig" "$prefix/include"
    cp "$source"/*.h "$prefix/include"
    for name in toy spool; do
      "$cc" -shared -fPIC "$source/$name.c" -o "$prefix/lib/lib$name.so"
      printf '%s\n' "prefix=$prefix" "Name: $name" "Description: $name" 'Version: 1.2' \
        'Cflags: -I${prefix}/include' "Libs: -L\${prefix}/lib -l$name" >"$prefix/lib/pkgconfig/$name.pc"
    done
    # As Debian builds its archives: they fit programs, but no shared libraries.
    for name in fixed fixed_most fixed_limit; do
      "$cc" -fPIE -c "$source/$name.c" -o "$prefix/lib/$name.o"
      ar rc "$prefix/lib/lib$name.a" "$prefix/lib/$name.o"
    done
    if "$cc" -shared -Wl,--whole-archive "$prefix"/lib/libfixed*.a -Wl,--no-whole-archive \
      -o "$prefix/lib/fixed.so" 2>/dev/null; then
      echo "The archive Fixed can become part of a shared library, which it must not."
      exit 1
    fi
    ;;
  tests)
    build=$1
    shift
    pattern=$(printf '|%s' "$@")
    output=$(ctest --test-dir "$build" --output-on-failure -R "^(${pattern:1})(\.|$)") ||
      { echo "$output"; exit 1; }
    echo "$output"
    for test; do
      grep -qE " $test(\.np[0-9]+)? \.+ +Passed" <<<"$output" || { echo "$test did not run."; exit 1; }
    done
    ;;
  expect)
    text=$1
    shift
    output=$("$@" 2>&1) || { echo "$output"; exit 1; }
    echo "$output"
    tr -s ' \n' ' ' <<<"$output" | grep -qF -- "$text" || { echo "It does not say '$text'."; exit 1; }
    ;;
  refuse)
    text=$1
    shift
    if output=$(configure --fresh "$@" 2>&1); then
      echo "$output"
      echo "The configuration succeeded; it had to fail."
      exit 1
    fi
    echo "$output"
    # CMake wraps its messages.
    tr -s ' \n' ' ' <<<"$output" | grep -qF -- "$text" || { echo "It does not say '$text'."; exit 1; }
    ;;
  refuse-release)
    text=$1 prefix=$2 folder=$3 header=$4 module=$5
    export PKG_CONFIG_PATH="$prefix/$LIBDIR/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
    flags=$(pkg-config --cflags "$module")
    compile() { # <flag>...
      "$CXX" -std=c++17 -Wfatal-errors -fsyntax-only -x c++ - "$@" $flags <<<"#include <$header>"
    }
    if output=$(compile -I "$folder" 2>&1); then
      echo "It compiles with another release."
      exit 1
    fi
    echo "$output"
    grep -qF -- "$text" <<<"$output" || { echo "It does not say '$text'."; exit 1; }
    compile
    ;;
  pkg-config)
    prefix=$1 build=$2 source=$3
    shift 3
    export PKG_CONFIG_PATH="$prefix/$LIBDIR/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
    definitions=()
    for module; do
      name=${module#daptor-}
      definitions+=("-DCONSUMER_${name^^}")
    done
    mkdir -p "$build"
    flags=$(pkg-config --cflags --libs "$@")
    "$CXX" -std=c++17 "${definitions[@]}" "$source" -o "$build/consumer" $flags \
      "-Wl,-rpath,$prefix/$LIBDIR"
    run_consumer "$build/consumer"
    ;;
  archives)
    installed=$1 prefix=$2 folder=$3
    shift 3
    rm -rf "$prefix"
    mkdir -p "$prefix/$LIBDIR/pkgconfig"
    ln -s "$installed/include" "$prefix/include"
    cp "$folder"/*.pc "$prefix/$LIBDIR/pkgconfig"
    for component; do
      # Thin: it names the objects, which stay where they are.
      ar rcsT "$prefix/$LIBDIR/libdaptor_$component.a" "@$folder/$component.objects"
    done
    ;;
  archives-test)
    python3 "$(dirname "$0")/archives_test.py" "$CXX" "$1" "$LIBDIR" "${@:2}"
    ;;
  everything)
    prefix=$1 build=$2 parts=$3
    shift 3
    components=$(IFS=, && echo "$*")
    configure --fresh "$everything" "$build" -DCMAKE_PREFIX_PATH="$prefix" -DPARTS="$parts" -DCOMPONENTS="$components"
    cmake --build "$build" --parallel 2
    run_parts "$build/consumer" "$parts"
    ;;
  everything-pkg-config)
    prefix=$1 build=$2 parts=$3
    shift 3
    export PKG_CONFIG_PATH="$prefix/$LIBDIR/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
    modules=("${@/#/daptor-}")
    flags=$(pkg-config --cflags "${modules[@]}")
    rm -rf "$build"
    mkdir -p "$build"
    for source in "$everything/main.cpp" "$parts"/*.{cpp,F90}; do
      case $source in
        *\**) ;; # none of this language
        *.cpp) $LAUNCHER "$CXX" -std=c++17 -I "$parts" -c "$source" -o "$build/$(basename "$source").o" $flags ;;
        *) "$FC" -c "$source" -o "$build/$(basename "$source").o" -J "$build" $flags ;;
      esac
    done
    reversed=()
    for module in "${modules[@]}"; do reversed=("$module" "${reversed[@]}"); done
    "$CXX" "$build"/*.o -o "$build/consumer" $(pkg-config --static --libs "${modules[@]}")
    run_parts "$build/consumer" "$parts"
    "$CXX" "$build"/*.o -o "$build/reversed" $(pkg-config --static --libs "${reversed[@]}")
    run_parts "$build/reversed" "$parts"
    ;;
  *)
    echo "unknown action '$action'"
    exit 1
    ;;
esac
