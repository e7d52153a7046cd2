//! Layers in files of their own, sent out and compared.
#![allow(dead_code)]

use std::fs;
use std::path::PathBuf;

use sowbase::board::Position;
use sowbase::control::Control;
use sowbase::index::Numbering;
use sowbase::rules::{self, Rules};
use sowbase::tables::*;
use tempfile::TempDir;

use crate::access::MAPPED;
use crate::layers;

/// The layouts that are for every game.
pub const PLAIN: [Layout; 3] = [Layout::Raw, Layout::Npy, Layout::Csv];

/// A layer in a file of its own, and room for others.
pub struct Made {
    pub dir: TempDir,
    pub rules: Rules,
    pub seeds: u32,
    pub values: Vec<i8>,
}

impl Made {
    /// A layer with true values.
    pub fn built(game: &str, seeds: u32) -> Made {
        let rules = rules::game(game).unwrap();
        let values = layers::build(&rules, seeds).layer(seeds).to_vec();
        Made::of(rules, seeds, values)
    }

    /// A layer with values that only look like some: neighbours differ, and all that are possible occur.
    pub fn made_up(game: &str, seeds: u32) -> Made {
        let rules = rules::game(game).unwrap();
        let size = Numbering::new(rules.pits().into(), seeds).unwrap().layer(seeds).size();
        let mut random = fastrand::Rng::with_seed(seeds.into());
        let most = seeds as i8;
        Made::of(rules, seeds, (0..size).map(|_| random.i8(-most..=most)).collect())
    }

    pub fn of(rules: Rules, seeds: u32, values: Vec<i8>) -> Made {
        let dir = tempfile::tempdir().unwrap();
        let made = Made { dir, rules, seeds, values };
        write_layer(
            &made.path("table.sow"),
            &made.rules,
            seeds,
            Quantity::Value,
            &made.values,
            &Control::default(),
        )
        .unwrap();
        made
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn layer(&self, access: Access) -> Layer {
        Layer::open(&self.path("table.sow"), access).unwrap()
    }

    pub fn export(&self, layout: Layout, name: &str) -> Result<Exported, ExchangeError> {
        let layer = self.layer(MAPPED);
        export(&layer, &self.rules, layout, &self.path(name), false, &Control::default())
    }

    pub fn compare(&self, layout: Layout, name: &str) -> Result<Compared, ExchangeError> {
        compare(&self.layer(MAPPED), &self.rules, layout, &self.path(name), &Control::default())
    }

    /// The sentence with which a file is refused.
    pub fn refuses(&self, layout: Layout, bytes: &[u8]) -> String {
        fs::write(self.path("foreign"), bytes).unwrap();
        let error = self.compare(layout, "foreign").unwrap_err();
        assert!(
            matches!(error, ExchangeError::Length { .. } | ExchangeError::Contents { .. }),
            "{layout}: {error}"
        );
        error.to_string()
    }

    pub fn position(&self, index: u64) -> Position {
        Numbering::new(self.rules.pits().into(), self.seeds).unwrap().position(self.seeds, index)
    }

    pub fn value(&self, pits: &[u16; 12]) -> i8 {
        let numbering = Numbering::new(6, self.seeds).unwrap();
        let (_, index) = numbering.number(&Position::of_rows(&pits[..6], &pits[6..])).unwrap();
        self.values[index as usize]
    }
}

pub fn bytes_of(values: &[i8]) -> Vec<u8> {
    values.iter().map(|value| *value as u8).collect()
}
