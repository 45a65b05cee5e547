# SPDX-License-Identifier: BSD-3-Clause
# flake8: noqa: F403,F405 (a recipe of Spack has the names of its package)
"""A recipe for Spack 1.0 and newer: copy it to packages/daptor/package.py of a repository. Untried."""
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Daptor(CMakePackage):
    """Distributed arrays shared between PETSc, Trilinos, ScaLAPACK and NumPy without a copy."""

    homepage = "https://daptor.invalid"
    git = "https://daptor.invalid/daptor.git"

    # maintainers("..."): who submits the recipe puts their name here.

    test_requires_compiler = True

    license("BSD-3-Clause")

    version("main", branch="main")
    version("0.2.0", tag="v0.2.0")

    # facts: spack variants
    variant("petsc", default=True, description="The adapter petsc")
    variant("trilinos", default=True, description="The adapter tpetra")
    variant("scalapack", default=False, description="The adapter scalapack")
    variant("fftw", default=False, description="The adapter fftw")
    variant("sundials", default=False, description="The adapter sundials")
    variant("hdf5", default=False, description="The adapter hdf5")
    # end of facts
    variant("fortran", default=True, description="The Fortran modules")
    variant("python", default=False, description="The Python package")
    variant("tools", default=True, description="The command daptor")
    variant("shared", default=True, description="Shared libraries")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.24:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    # facts: spack dependencies
    depends_on("petsc@3.18:+mpi", when="+petsc")
    depends_on("trilinos@13.2:+mpi+tpetra+muelu+belos+ifpack2+amesos2", when="+trilinos")
    depends_on("scalapack", when="+scalapack")
    depends_on("fftw@3.3:+mpi precision=float,double", when="+fftw")
    depends_on("sundials@6:+mpi precision=double", when="+sundials")
    depends_on("hdf5@1.10.7:+mpi", when="+hdf5")
    # end of facts
    depends_on("googletest", type="test")
    depends_on("nlohmann-json@3:", when="+tools")
    depends_on("cli11@2:", when="+tools")
    depends_on("python@3.9:", when="+python", type=("build", "link", "run"))
    depends_on("py-pybind11@2.10:", when="+python", type="build")
    depends_on("py-numpy", when="+python", type=("build", "run"))
    depends_on("py-mpi4py@3:", when="+python", type=("build", "run"))
    depends_on("py-petsc4py@3.18:", when="+python+petsc", type=("build", "run"))

    extends("python", when="+python")

    conflicts("~shared", when="+python", msg="the Python package needs shared libraries")

    def cmake_args(self):
        on = self.define_from_variant
        args = [
            on("BUILD_SHARED_LIBS", "shared"),
            # facts: spack options
            on("DAPTOR_PETSC", "petsc"),
            on("DAPTOR_TPETRA", "trilinos"),
            on("DAPTOR_SCALAPACK", "scalapack"),
            on("DAPTOR_FFTW", "fftw"),
            on("DAPTOR_SUNDIALS", "sundials"),
            on("DAPTOR_HDF5", "hdf5"),
            self.define("DAPTOR_GA", False),
            # end of facts
            on("DAPTOR_FORTRAN", "fortran"),
            on("DAPTOR_PYTHON", "python"),
            on("DAPTOR_BUILD_TOOLS", "tools"),
            self.define("DAPTOR_BUILD_TESTS", self.run_tests),
            self.define("DAPTOR_BUILD_EXAMPLES", False),
            self.define("DAPTOR_SOLVERS", self.spec.satisfies("+petsc+trilinos")),
        ]
        if self.spec.satisfies("^trilinos@17:"):
            args.append(self.define("CMAKE_CXX_STANDARD", "20"))
        return args

    # For `spack test run`: a project of its own finds the installation.
    @run_after("install")
    def keep_consumer(self):
        cache_extra_test_sources(self, [join_path("tests", "package", "find_package"),
                                        join_path("tests", "package", "consumer.cpp")])

    def test_find_package(self):
        """build and run a program with find_package(daptor)"""
        source = self.test_suite.current_test_cache_dir.tests.package.find_package
        cmake = which(self.spec["cmake"].prefix.bin.cmake, required=True)
        with working_dir("build", create=True):
            cmake(source, f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCOMPONENTS=core",
                  self.define("MPI_HOME", self.spec["mpi"].prefix))
            cmake("--build", ".")
            Executable(join_path(".", "consumer"))()

    def test_command(self):
        """the command says its version"""
        if self.spec.satisfies("~tools"):
            raise SkipTest("installed without the command")
        out = which(self.prefix.bin.daptor, required=True)("--version", output=str.split, error=str.split)
        assert "daptor" in out
