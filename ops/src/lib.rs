//! warpcell-ops
