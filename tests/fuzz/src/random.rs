//! Random numbers that are the same on every machine.

/// SplitMix64 (Steele, Lea, Flood 2014): a counter and a mixing function.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The sequence of the pair.
    pub fn of(seed: u64, stream: u64) -> Random {
        let mut random = Random(seed ^ stream.rotate_left(32));
        Random(random.bits() ^ stream)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    /// True `percent` times of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `choices`, of which there is one at least.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// One of `choices`, each as often as its weight says. Not all weights are 0.
    pub fn weighted<T: Copy>(&mut self, choices: &[(usize, T)]) -> T {
        let total: usize = choices.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for (weight, choice) in choices {
            if at < *weight {
                return *choice;
            }
            at -= weight;
        }
        unreachable!("the position is below the sum of the weights")
    }
}
