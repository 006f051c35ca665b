//! warpcell-tests
