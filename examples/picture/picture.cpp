// SPDX-License-Identifier: BSD-3-Clause
#include "picture.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace {

constexpr double side = 440;  // side of a panel, in units of the picture
constexpr double top = 104, left = 44, panel_step = 588;

std::vector<std::uint8_t> png_of(const Panel& panel) {
  const auto n = static_cast<std::size_t>(panel.pixels);
  std::vector<std::uint8_t> indices(n * n);
  const double scale = panel.high > panel.low ? 255.0 / (panel.high - panel.low) : 0.0;
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column) {
      const double value = panel.values[(n - 1 - row) * n + column];
      indices[row * n + column] = static_cast<std::uint8_t>(
          std::lround(std::clamp((value - panel.low) * scale, 0.0, 255.0)));
    }

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(n);
  image.height = static_cast<png_uint_32>(n);
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = 256;
  png_alloc_size_t size = 0;
  const auto write = [&](void* memory) {
    return png_image_write_to_memory(&image, memory, &size, 0, indices.data(), 0,
                                     panel.palette.data());
  };
  if (write(nullptr) == 0) throw std::runtime_error(image.message);
  std::vector<std::uint8_t> png(size);
  if (write(png.data()) == 0) throw std::runtime_error(image.message);
  png.resize(size);
  return png;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? digits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

std::string css(const Rgb& color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color[0], color[1], color[2]);
}

/// Draws a box in the middle of each block, and lines where the owner changes.
std::string ownership(const std::vector<OwnedBlock>& blocks, double x0, double unit) {
  std::string svg;
  const auto box = [&](const OwnedBlock& b) {
    return fmt::format("x='{:.2f}' y='{:.2f}' width='{:.2f}' height='{:.2f}'", x0 + b.x * unit,
                       top + side - (b.y + b.height) * unit, b.width * unit, b.height * unit);
  };
  for (const char* line : {"stroke='#000' stroke-opacity='.55' stroke-width='3.4'",
                           "stroke='#fff' stroke-width='1.4'"})
    for (const OwnedBlock& b : blocks)
      svg += fmt::format("<rect {} fill='none' {}/>\n", box(b), line);
  for (const OwnedBlock& b : blocks) {
    const double size = std::min(17.0, 0.22 * unit * std::min(1.6 * b.height, b.width));
    if (size < 5) continue;
    const std::string text = size < 11 ? std::to_string(b.rank) : fmt::format("rank {}", b.rank);
    const double width = size * (0.56 * static_cast<double>(text.size()) + 1.0);
    const double cx = x0 + (b.x + 0.5 * b.width) * unit;
    const double cy = top + side - (b.y + 0.5 * b.height) * unit;
    svg += fmt::format(
        "<rect x='{:.2f}' y='{:.2f}' width='{:.2f}' height='{:.2f}' rx='{:.1f}' fill='#000' "
        "fill-opacity='.55'/>\n<text x='{:.2f}' y='{:.2f}' font-size='{:.1f}' fill='#fff' "
        "text-anchor='middle'>{}</text>\n",
        cx - 0.5 * width, cy - 0.8 * size, width, 1.6 * size, 0.3 * size, cx, cy + 0.36 * size,
        size, text);
  }
  return svg;
}

std::string color_bar(const Panel& panel, double x0, std::size_t number) {
  const double x = x0 + side + 14;
  std::string svg = fmt::format("<linearGradient id='bar{}' x1='0' y1='1' x2='0' y2='0'>", number);
  for (std::size_t i = 0; i < panel.palette.size(); i += 15)
    svg += fmt::format("<stop offset='{:.4f}' stop-color='{}'/>", static_cast<double>(i) / 255,
                       css(panel.palette[i]));
  svg += fmt::format(
      "</linearGradient>\n<rect x='{}' y='{}' width='15' height='{}' fill='url(#bar{})' "
      "stroke='#555' stroke-width='.8'/>\n",
      x, top, side, number);
  for (std::size_t i = 0; i < panel.bar_labels.size(); ++i) {
    const double y = top + side * (1 - static_cast<double>(i) /
                                           static_cast<double>(panel.bar_labels.size() - 1));
    svg += fmt::format(
        "<path d='M{} {:.2f}h4' stroke='#555' stroke-width='.8'/><text x='{}' y='{:.2f}' "
        "font-size='13'>{}</text>\n",
        x + 15, y, x + 23, y + 4.5, panel.bar_labels[i]);
  }
  return svg;
}

std::string axes(double x0) {
  std::string svg;
  for (int i = 0; i <= 4; ++i) {
    const double at = i / 4.0;
    svg += fmt::format(
        "<path d='M{:.2f} {}v5' stroke='#555' stroke-width='.8'/><text x='{:.2f}' y='{}' "
        "font-size='13' text-anchor='middle'>{:g}</text>\n",
        x0 + at * side, top + side, x0 + at * side, top + side + 20, at);
    svg += fmt::format(
        "<path d='M{} {:.2f}h-5' stroke='#555' stroke-width='.8'/><text x='{}' y='{:.2f}' "
        "font-size='13' text-anchor='end'>{:g}</text>\n",
        x0, top + side * (1 - at), x0 - 8, top + side * (1 - at) + 4.5, at);
  }
  return svg;
}

}  // namespace

void write_picture(const std::string& file, const std::string& title, const std::string& subtitle,
                   const std::vector<Panel>& panels, const std::vector<OwnedBlock>& blocks,
                   double extent) {
  const double width = left + panel_step * static_cast<double>(panels.size());
  const double height = top + side + 34;
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
      "viewBox='0 0 {0} {1}' width='{0}' height='{1}' font-family='DejaVu Sans, Helvetica, Arial, "
      "sans-serif' fill='#222'>\n<rect width='{0}' height='{1}' fill='#fff'/>\n"
      "<text x='{2}' y='34' font-size='21' font-weight='bold'>{3}</text>\n"
      "<text x='{2}' y='58' font-size='14' fill='#555'>{4}</text>\n",
      width, height, left, title, subtitle);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double x0 = left + panel_step * static_cast<double>(i);
    svg += fmt::format("<text x='{}' y='{}' font-size='15'>{}</text>\n", x0, top - 12,
                       panels[i].title);
    svg += fmt::format(
        "<image x='{}' y='{}' width='{}' height='{}' preserveAspectRatio='none' "
        "xlink:href='data:image/png;base64,{}'/>\n",
        x0, top, side, side, base64(png_of(panels[i])));
    svg += ownership(blocks, x0, side / extent);
    svg += axes(x0) + color_bar(panels[i], x0, i);
  }
  svg += "</svg>\n";
  std::ofstream out(file, std::ios::binary);
  out << svg << std::flush;
  if (!out) throw std::runtime_error("the picture cannot be written to '" + file + "'");
}
