//! The command line: one file a command.

mod output;
mod run;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Single-cell RNA analysis on CUDA devices and the CPU, with the same bits on both.
#[derive(Parser)]
#[command(version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Counts in; normalised data, chosen genes, components, neighbours, pictures and a summary out.
    Run(run::Run),
}

impl Arguments {
    pub(crate) fn run(self) -> Result<()> {
        // Warnings by default; RUST_LOG=info or debug for more.
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
        tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .with_ansi(std::io::stderr().is_terminal())
            .without_time()
            .with_target(false)
            .init();
        match self.command {
            Command::Run(run) => run.run(),
        }
    }
}
