"""Makes pbmc68k_reduced_counts.h5ad from the data set that the scanpy wheel on PyPI ships.

Needs: pip install scanpy. Run in this folder: python make_pbmc68k_reduced.py

The shipped file holds 700 cells x 765 genes. Its raw.X is log1p(count / total * 10000), rounded to three decimals, where
`total` (obs.n_counts) was taken over all genes of the original experiment. The counts are recovered by inverting that,
and checked to be whole.
"""

import anndata
import numpy as np
import scanpy as sc
from scipy import sparse

shipped = sc.datasets.pbmc68k_reduced()
normalised = np.expm1(shipped.raw.X.toarray().astype(np.float64))
totals = shipped.obs["n_counts"].to_numpy(dtype=np.float64)

counts = normalised * totals[:, None] / 10_000
# The shipped logarithms have three decimals, so a large count is off by up to 5e-4 of itself: less than 0.1 here.
distance = np.abs(counts - np.round(counts)).max()
assert distance < 0.1, distance
counts = np.round(counts).astype(np.float32)
assert (counts.sum(axis=1) <= totals + 0.5).all()

result = anndata.AnnData(
    sparse.csr_matrix(counts),
    obs=shipped.obs[["bulk_labels"]].copy(),
    var=shipped.raw.var[[]].copy(),
)
print(result, "largest count", counts.max(), "largest distance from a whole number", distance)
result.write_h5ad("pbmc68k_reduced_counts.h5ad", compression="gzip")
