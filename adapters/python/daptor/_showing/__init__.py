# SPDX-License-Identifier: BSD-3-Clause
"""What people and their tools see: text, HTML, pictures, help, signatures, hints."""
