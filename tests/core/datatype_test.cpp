// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/datatype.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "daptor/error.hpp"

namespace daptor {
namespace {

const ByteOrder native_order = native_byte_order();
const ByteOrder other_order =
    native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;

struct LetterCase {
  const char* letter;
  DataType native;
  std::size_t standard_size;  // 0 if it exists in native mode only
};

std::vector<LetterCase> letter_cases() {
  return {{"?", DataType::of<bool>(), 1},
          {"b", DataType::of<signed char>(), 1},
          {"B", DataType::of<unsigned char>(), 1},
          {"h", DataType::of<short>(), 2},
          {"H", DataType::of<unsigned short>(), 2},
          {"i", DataType::of<int>(), 4},
          {"I", DataType::of<unsigned>(), 4},
          {"l", DataType::of<long>(), 4},
          {"L", DataType::of<unsigned long>(), 4},
          {"q", DataType::of<long long>(), 8},
          {"Q", DataType::of<unsigned long long>(), 8},
          {"n", DataType::of<std::ptrdiff_t>(), 0},
          {"N", DataType::of<std::size_t>(), 0},
          {"e", DataType(Kind::floating, 2), 2},
          {"f", DataType::of<float>(), 4},
          {"d", DataType::of<double>(), 8},
          {"g", DataType::of<long double>(), sizeof(long double)},
          {"Zf", DataType::of<std::complex<float>>(), 8},
          {"Zd", DataType::of<std::complex<double>>(), 16},
          {"Zg", DataType::of<std::complex<long double>>(), 2 * sizeof(long double)}};
}

std::vector<DataType> all_types() {
  std::vector<DataType> types = {DataType(Kind::boolean, 1)};
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    for (const std::size_t size : {1, 2, 4, 8}) {
      types.emplace_back(Kind::signed_integer, size, order);
      types.emplace_back(Kind::unsigned_integer, size, order);
    }
    for (const std::size_t size :
         {std::size_t{2}, std::size_t{4}, std::size_t{8}, sizeof(long double)})
      types.emplace_back(Kind::floating, size, order);
    for (const std::size_t size : {std::size_t{8}, std::size_t{16}, 2 * sizeof(long double)})
      types.emplace_back(Kind::complex, size, order);
  }
  return types;
}

TEST(DataType, ReadsEveryLetterInNativeMode) {
  for (const LetterCase& c : letter_cases()) {
    for (const std::string prefix : {"", "@", "^"}) {
      const auto type = DataType::from_format(prefix + c.letter);
      ASSERT_TRUE(type) << prefix << c.letter;
      EXPECT_EQ(*type, c.native) << prefix << c.letter;
    }
  }
}

TEST(DataType, ReadsEveryLetterInStandardMode) {
  struct Prefix {
    const char* text;
    ByteOrder order;
  };
  for (const Prefix prefix : {Prefix{"=", native_order}, Prefix{"<", ByteOrder::little},
                              Prefix{">", ByteOrder::big}, Prefix{"!", ByteOrder::big}}) {
    for (const LetterCase& c : letter_cases()) {
      const auto type = DataType::from_format(std::string(prefix.text) + c.letter);
      if (c.standard_size == 0) {
        EXPECT_FALSE(type) << prefix.text << c.letter;
        continue;
      }
      ASSERT_TRUE(type) << prefix.text << c.letter;
      EXPECT_EQ(*type, DataType(c.native.kind(), c.standard_size, prefix.order))
          << prefix.text << c.letter;
    }
  }
}

TEST(DataType, RefusesOtherFormats) {
  for (const char* format :
       {"",   "@",  "<",  "Z",  "<Z",  "Zi",      "Z?",      "Ze",      "ZZd", "dd",
        "2d", "1d", "d ", " d", "@@d", "@<d",     "c",       "s",       "10s", "p",
        "w",  "u",  "P",  "O",  "x",   "&d",      "(2,3)d",  "T{d:x:}", "X{}", "t",
        "D",  "F",  "G",  "m",  "M",   "d:name:", "\xc3\xa9"})
    EXPECT_FALSE(DataType::from_format(format)) << '"' << format << '"';
  EXPECT_FALSE(DataType::from_format(std::string_view("d\0", 2)));
  EXPECT_FALSE(DataType::from_format(std::string_view("\0", 1)));
}

TEST(DataType, ReadsTypeStrings) {
  for (const char letter : {'i', 'u'}) {
    for (const std::size_t size : {1, 2, 4, 8}) {
      const Kind kind = letter == 'i' ? Kind::signed_integer : Kind::unsigned_integer;
      const std::string text = letter + std::to_string(size);
      EXPECT_EQ(DataType::from_typestr("<" + text), DataType(kind, size, ByteOrder::little));
      EXPECT_EQ(DataType::from_typestr(">" + text), DataType(kind, size, ByteOrder::big));
      EXPECT_EQ(DataType::from_typestr("=" + text), DataType(kind, size));
    }
  }
  EXPECT_EQ(DataType::from_typestr("|b1"), DataType::of<bool>());
  EXPECT_EQ(DataType::from_typestr("|i1"), DataType::of<std::int8_t>());
  EXPECT_EQ(DataType::from_typestr("|u1"), DataType::of<std::uint8_t>());
  EXPECT_EQ(DataType::from_typestr(">f2"), DataType(Kind::floating, 2, ByteOrder::big));
  EXPECT_EQ(DataType::from_typestr("<f8"), DataType(Kind::floating, 8, ByteOrder::little));
  EXPECT_EQ(DataType::from_typestr(">c8"), DataType(Kind::complex, 8, ByteOrder::big));
  EXPECT_EQ(DataType::from_typestr("<c16"), DataType(Kind::complex, 16, ByteOrder::little));
}

TEST(DataType, RefusesOtherTypeStrings) {
  for (const char* typestr : {"",        "<",    "<f",
                              "f8",      "8",    "float64",
                              "<f3",     "<f0",  "<f-8",
                              "<f+8",    "<f 8", "<f8 ",
                              " <f8",    "|f8",  "|i2",
                              "<i16",    "<u3",  "<c4",
                              "<c2",     "<b2",  "<b8",
                              "<S8",     "|S1",  "<U4",
                              "|O8",     "|V8",  "<m8",
                              "<M8[ns]", "<t1",  "@f8",
                              "!f8",     "^f8",  "<f99999999999999999999",
                              "<<f8",    "<F8",  "<f8<f8"})
    EXPECT_FALSE(DataType::from_typestr(typestr)) << '"' << typestr << '"';
  EXPECT_FALSE(DataType::from_typestr(std::string_view("<f8\0", 4)));
}

TEST(DataType, FormatsAndTypeStringsRoundTrip) {
  for (const DataType& type : all_types()) {
    EXPECT_EQ(DataType::from_format(type.format()), type) << type.format();
    EXPECT_EQ(DataType::from_typestr(type.typestr()), type) << type.typestr();
  }
}

TEST(DataType, SpellsNativeTypesWithoutByteOrder) {
  EXPECT_EQ(DataType::of<double>().format(), "d");
  EXPECT_EQ(DataType::of<std::complex<float>>().format(), "Zf");
  EXPECT_EQ(DataType::of<std::int8_t>().format(), "b");
  EXPECT_EQ(DataType(Kind::floating, 8, ByteOrder::little).typestr(), "<f8");
  EXPECT_EQ(DataType(Kind::floating, 8, ByteOrder::big).typestr(), ">f8");
  EXPECT_EQ(DataType::of<bool>().typestr(), "|b1");
  const char mark = other_order == ByteOrder::big ? '>' : '<';
  EXPECT_EQ(DataType(Kind::floating, 8, other_order).format(), std::string(1, mark) + "d");
  EXPECT_EQ(DataType(Kind::complex, 8, other_order).format(), std::string(1, mark) + "Zf");
  EXPECT_EQ(DataType(Kind::signed_integer, 8, other_order).format(), std::string(1, mark) + "q");
}

TEST(DataType, KnowsTheScalarsOfTheLanguage) {
  EXPECT_EQ(DataType::of<bool>(), DataType(Kind::boolean, 1));
  EXPECT_EQ(DataType::of<std::int16_t>(), DataType(Kind::signed_integer, 2));
  EXPECT_EQ(DataType::of<std::uint64_t>(), DataType(Kind::unsigned_integer, 8));
  EXPECT_EQ(DataType::of<const float>(), DataType(Kind::floating, 4));
  EXPECT_EQ(DataType::of<volatile double>(), DataType(Kind::floating, 8));
  EXPECT_EQ(DataType::of<long double>(), DataType(Kind::floating, sizeof(long double)));
  EXPECT_EQ(DataType::of<std::complex<double>>(), DataType(Kind::complex, 16));
  EXPECT_EQ(DataType::of<long>() == DataType::of<long long>(), sizeof(long) == sizeof(long long));
  EXPECT_TRUE(DataType::of<double>().native());
}

TEST(DataType, TellsByteOrdersApartBeyondOneByte) {
  const DataType little(Kind::signed_integer, 4, ByteOrder::little);
  const DataType big(Kind::signed_integer, 4, ByteOrder::big);
  EXPECT_NE(little, big);
  EXPECT_NE(little.native(), big.native());
  const DataType one_byte(Kind::signed_integer, 1, other_order);
  EXPECT_EQ(one_byte, DataType::of<std::int8_t>());
  EXPECT_TRUE(one_byte.native());
  EXPECT_EQ(one_byte.format(), "b");
}

TEST(DataType, TellsKindsAndSizesApart) {
  const std::vector<DataType> types = all_types();
  for (std::size_t i = 0; i < types.size(); ++i) {
    for (std::size_t j = 0; j < types.size(); ++j) {
      const bool same = types[i].typestr() == types[j].typestr();
      EXPECT_EQ(types[i] == types[j], same) << types[i] << " and " << types[j];
    }
  }
}

TEST(DataType, RefusesSizesThatNoElementHas) {
  const auto refused = [](Kind kind, std::size_t size) {
    try {
      static_cast<void>(DataType(kind, size));
    } catch (const InvalidArgument& error) {
      return error.finding().key == "itemsize" && error.finding().found == std::to_string(size);
    }
    return false;
  };
  EXPECT_TRUE(refused(Kind::boolean, 2));
  EXPECT_TRUE(refused(Kind::signed_integer, 16));
  EXPECT_TRUE(refused(Kind::unsigned_integer, 0));
  EXPECT_TRUE(refused(Kind::floating, 3));
  EXPECT_TRUE(refused(Kind::complex, 4));
  EXPECT_TRUE(refused(static_cast<Kind>(42), 8));
}

TEST(DataType, NamesAreForPeople) {
  EXPECT_EQ(DataType::of<double>().name(), "float64");
  EXPECT_EQ(DataType::of<std::complex<double>>().name(), "complex128");
  EXPECT_EQ(DataType::of<std::uint16_t>().name(), "uint16");
  EXPECT_EQ(DataType::of<bool>().name(), "bool");
  const std::string order = other_order == ByteOrder::big ? "big-endian" : "little-endian";
  std::ostringstream out;
  out << DataType(Kind::signed_integer, 4, other_order);
  EXPECT_EQ(out.str(), "int32 (" + order + ")");
}

}  // namespace
}  // namespace daptor
