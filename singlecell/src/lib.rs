//! warpcell
