//! The table of annotations of cells or genes.

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// `bool`
    Bool(Vec<bool>),
    /// Integers.
    Int(Vec<i64>),
    /// Floats of 32 bits.
    Float32(Vec<f32>),
    /// Floats of 64 bits.
    Float64(Vec<f64>),
    /// Text.
    String(Vec<String>),
    /// One of a few texts.
    Categorical {
        /// For each row its category, or -1 where it is missing.
        codes: Vec<i32>,
        /// The categories.
        categories: Vec<String>,
        /// Whether they have an order.
        ordered: bool,
    },
    /// Integers, some of them missing.
    NullableInt {
        /// The values; of no meaning where missing.
        values: Vec<i64>,
        /// Whether it is missing.
        missing: Vec<bool>,
    },
    /// `bool`s, some of them missing.
    NullableBool {
        /// The values; of no meaning where missing.
        values: Vec<bool>,
        /// Whether it is missing.
        missing: Vec<bool>,
    },
}

impl Column {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Bool(values) => values.len(),
            Column::Int(values) => values.len(),
            Column::Float32(values) => values.len(),
            Column::Float64(values) => values.len(),
            Column::String(values) => values.len(),
            Column::Categorical { codes, .. } => codes.len(),
            Column::NullableInt { values, .. } => values.len(),
            Column::NullableBool { values, .. } => values.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows of `keep`.
    pub fn select(&self, keep: &[usize]) -> Column {
        fn pick<T: Clone>(values: &[T], keep: &[usize]) -> Vec<T> {
            keep.iter().map(|row| values[*row].clone()).collect()
        }
        match self {
            Column::Bool(values) => Column::Bool(pick(values, keep)),
            Column::Int(values) => Column::Int(pick(values, keep)),
            Column::Float32(values) => Column::Float32(pick(values, keep)),
            Column::Float64(values) => Column::Float64(pick(values, keep)),
            Column::String(values) => Column::String(pick(values, keep)),
            Column::Categorical { codes, categories, ordered } => {
                Column::Categorical { codes: pick(codes, keep), categories: categories.clone(), ordered: *ordered }
            }
            Column::NullableInt { values, missing } => {
                Column::NullableInt { values: pick(values, keep), missing: pick(missing, keep) }
            }
            Column::NullableBool { values, missing } => {
                Column::NullableBool { values: pick(values, keep), missing: pick(missing, keep) }
            }
        }
    }
}

/// An index of names, and columns in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The rows' names.
    pub index: Vec<String>,
    columns: Vec<(String, Column)>,
}

impl Frame {
    /// A frame without columns.
    pub fn new(index: Vec<String>) -> Frame {
        Frame { index, columns: Vec::new() }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[(String, Column)] {
        &self.columns
    }

    /// The column of that name.
    pub fn get(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(known, _)| known == name).map(|(_, column)| column)
    }

    /// Sets a column; a new one comes last.
    ///
    /// # Panics
    /// If it has another number of rows: the caller computes it from the frame's own matrix.
    pub fn set(&mut self, name: impl Into<String>, column: Column) {
        let name = name.into();
        assert_eq!(column.len(), self.len(), "column `{name}` must have a value for each row");
        match self.columns.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = column,
            None => self.columns.push((name, column)),
        }
    }

    /// The rows of `keep`.
    pub fn select(&self, keep: &[usize]) -> Frame {
        Frame {
            index: keep.iter().map(|row| self.index[*row].clone()).collect(),
            columns: self.columns.iter().map(|(name, column)| (name.clone(), column.select(keep))).collect(),
        }
    }

    /// Makes the names unique as anndata does: a repeated name gets `-1`, `-2`, … where that is free.
    pub fn make_index_unique(&mut self) -> usize {
        let mut taken: std::collections::HashSet<String> = self.index.iter().cloned().collect();
        let mut seen: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
        let mut changed = 0;
        for name in &mut self.index {
            let Some(count) = seen.get_mut(name) else {
                seen.insert(name.clone(), 0);
                continue;
            };
            let unique = loop {
                *count += 1;
                let candidate = format!("{name}-{count}");
                if taken.insert(candidate.clone()) {
                    break candidate;
                }
            };
            *name = unique;
            changed += 1;
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_names_become_unique_around_those_taken() {
        let names = ["a", "b", "a", "a-1", "a", "b"].map(String::from).to_vec();
        let mut frame = Frame::new(names);
        assert_eq!(frame.make_index_unique(), 3);
        assert_eq!(frame.index, ["a", "b", "a-2", "a-1", "a-3", "b-1"]);
    }

    #[test]
    fn a_selection_keeps_columns_in_order() {
        let mut frame = Frame::new(["x", "y", "z"].map(String::from).to_vec());
        frame.set("n", Column::Int(vec![1, 2, 3]));
        frame.set(
            "c",
            Column::Categorical { codes: vec![0, -1, 1], categories: vec!["p".into(), "q".into()], ordered: false },
        );
        frame.set("n", Column::Int(vec![7, 8, 9]));
        let part = frame.select(&[2, 0]);
        assert_eq!(part.index, ["z", "x"]);
        assert_eq!(part.columns()[0], ("n".into(), Column::Int(vec![9, 7])));
        assert!(matches!(part.get("c"), Some(Column::Categorical { codes, .. }) if codes == &[1, 0]));
    }
}
