//! Writes a body that was taken apart: loops over threads, with the values that live across a barrier in slots.
//!
//! A local that only one phase uses stays a local. One that is cheap and the same whenever it is computed (built from
//! thread indices and uniform values) is computed again in each phase. Any other has a slot for each thread.

use super::split::{Level, Node, Pieces};
use super::{CpuStmt, Exchange, Target};
use crate::facts::{Facts, LocalId};
use crate::lower::{Local, LocalKind};
use crate::paths::{block, context, exit_label, hidden, private};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use warpcell_ir::{BinaryOp, SiteId};

/// The phases of `pieces` as the body of a block's function, or nothing if a local can't be kept between them.
pub(crate) fn write(pieces: &Pieces<'_>, locals: &[Local], masked: bool) -> Option<TokenStream> {
    let mut writer = Writer {
        locals,
        pieces,
        masked,
        uses: BTreeMap::new(),
        declared: BTreeSet::new(),
        crossing: BTreeSet::new(),
        group: 0,
        warps: 0,
        homes: BTreeMap::new(),
        seen: BTreeSet::new(),
        possible: true,
    };
    // The first run finds which group of threads' loops uses which local.
    writer.nodes(&pieces.nodes, Level::Block);
    writer.crossing = writer.find_crossing();
    // A slot that no group sets would be read without a value.
    writer.possible &= writer.crossing.is_subset(&writer.declared);
    writer.group = 0;
    writer.warps = 0;
    writer.seen.clear();
    let body = writer.nodes(&pieces.nodes, Level::Block);
    let slots = writer.crossing.iter().map(|id| {
        let (private, block, slot) = (private(), block(), writer.slot(*id));
        quote!(let mut #slot = #private::Slots::new(#block);)
    });
    let (private, block, dead) = (private(), block(), dead());
    let mask = masked.then(|| quote!(let mut #dead = #private::Mask::new(#block);));
    writer.possible.then(|| quote!(#mask #(#slots)* #body))
}

fn dead() -> Ident {
    hidden("__wc_dead")
}

fn warp() -> Ident {
    hidden("__wc_warp")
}

struct Writer<'a> {
    locals: &'a [Local],
    pieces: &'a Pieces<'a>,
    /// Whether a thread can leave before the end.
    masked: bool,
    /// The groups that use each local.
    uses: BTreeMap<LocalId, BTreeSet<usize>>,
    /// Locals that a group declares.
    declared: BTreeSet<LocalId>,
    /// Locals with a slot for each thread.
    crossing: BTreeSet<LocalId>,
    group: usize,
    /// The number of pieces run a warp at a time so far.
    warps: usize,
    /// Locals declared so far, at the level of the block or as warp-uniform ones.
    seen: BTreeSet<LocalId>,
    /// The piece that declares each warp-uniform local.
    homes: BTreeMap<LocalId, usize>,
    possible: bool,
}

impl Writer<'_> {
    fn nodes(&mut self, nodes: &[Node<'_>], level: Level) -> TokenStream {
        nodes.iter().map(|node| self.node(node, level)).collect()
    }

    fn node(&mut self, node: &Node<'_>, level: Level) -> TokenStream {
        match node {
            Node::Phase(stmts) => self.phase(stmts, level),
            Node::Uniform(stmt) => self.uniform(stmt, level),
            Node::Warps(inner) => {
                self.warps += 1;
                let again = self.again_in_later_warps();
                let (block, warp, inner) = (block(), warp(), self.nodes(inner, Level::Warp));
                quote!(for #warp in 0..#block.warps() { #again #inner })
            }
            Node::Warp(call) => self.warp_call(call),
            Node::Vote { call, uniform } => self.vote(call, *uniform),
            Node::If { condition, then, otherwise } => {
                let first = self.first_thread(level);
                let (then, otherwise) = (self.nodes(then, level), self.nodes(otherwise, level));
                quote!(if { #first #condition } { #then } else { #otherwise })
            }
            Node::While { label, condition, body } => {
                let (first, body) = (self.first_thread(level), self.nodes(body, level));
                let leave = self.leave_loop(level);
                quote!(#label while { #first #condition } { #leave #body })
            }
            Node::For { label, variable, range, body } => {
                if level == Level::Warp {
                    self.homes.insert(*variable, self.warps);
                }
                let (first, body) = (self.first_thread(level), self.nodes(body, level));
                let variable = &self.locals[*variable].ident;
                quote!(#label for #variable in { #first #range } { #body })
            }
            Node::Loop { label, body } => {
                let (leave, body) = (self.leave_loop(level), self.nodes(body, level));
                quote!(#label loop { #leave #body })
            }
            Node::Block(body) => {
                let body = self.nodes(body, level);
                quote!({ #body })
            }
            Node::Jump(stmt) => stmt.tokens.clone(),
        }
    }

    /// A loop without threads does not go on: where each of them returns in it, nothing else ends it.
    fn leave_loop(&self, level: Level) -> Option<TokenStream> {
        let (block, warp, dead) = (block(), warp(), dead());
        let none = match level {
            Level::Block => quote!(#dead.all_left()),
            Level::Warp => quote!(#dead.present(#block, #warp) == 0),
        };
        self.masked.then(|| quote!(if #none { break; }))
    }

    /// The context in which a uniform expression is evaluated: that of the first thread.
    fn first_thread(&self, level: Level) -> TokenStream {
        let (block, thread, warp) = (block(), context(), warp());
        match level {
            Level::Block => quote!(let #thread = #block.thread_at(0);),
            Level::Warp => quote!(let #thread = #block.lane(#warp, 0);),
        }
    }

    /// A statement of uniform variables. Its value is computed in the first thread's context, its binding is outside.
    fn uniform(&mut self, stmt: &CpuStmt, level: Level) -> TokenStream {
        if level == Level::Warp {
            let home = self.warps;
            for id in &stmt.declares {
                self.homes.insert(*id, home);
                self.seen.insert(*id);
            }
            self.check_homes(&stmt.facts);
        }
        let (first, tokens) = (self.first_thread(level), &stmt.tokens);
        quote!(#first #tokens)
    }

    /// The warp-uniform locals that earlier loops over warps have declared, computed again.
    fn again_in_later_warps(&self) -> TokenStream {
        let earlier = self.seen.iter().filter(|id| self.is_warp_uniform(**id) && self.recomputable(**id));
        let again: Vec<_> = earlier.map(|id| self.locals[*id].recompute.clone()).collect();
        if again.is_empty() {
            return TokenStream::new();
        }
        let first = self.first_thread(Level::Warp);
        quote!(#first #(#again)*)
    }

    /// The same in a warp, but not in the block.
    fn is_warp_uniform(&self, id: LocalId) -> bool {
        self.pieces.warp_uniform.contains(&id) && !self.pieces.uniform.contains(&id)
    }

    /// A warp-uniform local is declared inside the loop over warps, so another such loop can't see it.
    fn check_homes(&mut self, facts: &Facts) {
        for id in facts.reads.iter().chain(&facts.writes) {
            let elsewhere = self.homes.get(id).is_some_and(|home| *home != self.warps);
            if elsewhere && !self.recomputable(*id) {
                self.possible = false;
            }
        }
    }

    fn phase(&mut self, stmts: &[&CpuStmt], level: Level) -> TokenStream {
        let mut facts = Facts::default();
        let mut declared = BTreeSet::new();
        for stmt in stmts {
            facts.add(&stmt.facts);
            declared.extend(&stmt.declares);
        }
        self.note(&facts, &declared);
        if level == Level::Block {
            // Computed again in the loops over warps, if it can be.
            let lost = |id: &LocalId| self.is_warp_uniform(*id) && !self.recomputable(*id);
            self.possible &= !declared.iter().any(lost);
            self.seen.extend(&declared);
        }
        let loads = self.loads(&facts, &declared, level);
        let stores = self.stores(declared.iter().chain(&facts.writes).copied().collect());
        let statements = stmts.iter().map(|stmt| &stmt.tokens);
        let body = quote!(#(#statements)* #stores);
        let body = self.leavable(body, facts.returns);
        self.threads(quote!(#loads #body), level)
    }

    /// Remembers that the current group uses these locals.
    fn note(&mut self, facts: &Facts, declared: &BTreeSet<LocalId>) {
        self.group += 1;
        self.check_homes(facts);
        self.declared.extend(declared);
        for id in facts.reads.iter().chain(&facts.writes).chain(declared) {
            self.uses.entry(*id).or_default().insert(self.group);
        }
    }

    /// `return` leaves the label; the thread is then dead for all later phases.
    fn leavable(&self, body: TokenStream, returns: bool) -> TokenStream {
        if !returns {
            return body;
        }
        let (dead, thread, label) = (dead(), context(), exit_label());
        quote!(#dead.leave(#thread); #label: { #body #dead.stay(#thread); })
    }

    /// A loop over the threads of the block, or over the lanes of the current warp.
    fn threads(&self, body: TokenStream, level: Level) -> TokenStream {
        let (block, thread, warp, dead) = (block(), context(), warp(), dead());
        let skip = self.masked.then(|| quote!(if #dead.has_left(#thread) { continue; }));
        match level {
            Level::Block => block_threads(quote!(#skip #body)),
            Level::Warp => quote! {
                for __wc_lane in 0..#block.lanes(#warp) {
                    let #thread = #block.lane(#warp, __wc_lane);
                    #skip #body
                }
            },
        }
    }

    /// Brings the locals of other groups in.
    fn loads(&self, facts: &Facts, declared: &BTreeSet<LocalId>, level: Level) -> TokenStream {
        let touched: BTreeSet<LocalId> = facts.reads.union(&facts.writes).copied().collect();
        let mut again = BTreeSet::new();
        for id in &touched {
            self.collect_recomputed(*id, declared, level, &mut again);
        }
        // In the order of declaration, which respects what depends on what.
        let again = again.iter().map(|id| self.locals[*id].recompute.clone());
        let thread = context();
        let loaded = touched.iter().filter(|id| self.crossing.contains(id) && !declared.contains(id)).map(|id| {
            let (ident, slot) = (&self.locals[*id].ident, self.slot(*id));
            quote!(let mut #ident = #slot.get(#thread);)
        });
        quote!(#(#again)* #(#loaded)*)
    }

    fn collect_recomputed(&self, id: LocalId, declared: &BTreeSet<LocalId>, level: Level, out: &mut BTreeSet<LocalId>) {
        let here = level == Level::Warp && self.is_warp_uniform(id) && self.seen.contains(&id);
        // A local of an inner block is bound there.
        let inner = !self.declared.contains(&id) && !self.homes.contains_key(&id);
        let bound = self.pieces.uniform.contains(&id) || here || declared.contains(&id) || inner;
        if bound || !self.recomputable(id) || !out.insert(id) {
            return;
        }
        for dependency in &self.locals[id].facts.reads {
            self.collect_recomputed(*dependency, declared, level, out);
        }
    }

    fn stores(&self, ids: BTreeSet<LocalId>) -> TokenStream {
        let thread = context();
        ids.iter()
            .filter(|id| self.crossing.contains(id))
            .map(|id| {
                let (ident, slot) = (&self.locals[*id].ident, self.slot(*id));
                quote!(#slot.set(#thread, #ident);)
            })
            .collect()
    }

    fn slot(&self, id: LocalId) -> Ident {
        hidden(&format!("__wc_slots_{}", self.locals[id].ident.unraw()))
    }

    fn find_crossing(&self) -> BTreeSet<LocalId> {
        self.uses
            .iter()
            .filter(|(id, groups)| {
                groups.len() > 1
                    && !self.pieces.uniform.contains(id)
                    && !self.homes.contains_key(id)
                    && !matches!(self.locals[**id].kind, LocalKind::Shared | LocalKind::SharedSlice)
                    && !self.recomputable(**id)
            })
            .map(|(id, _)| *id)
            .collect()
    }

    /// Whether computing the local again gives the same: it is pure, and what it reads never changes.
    fn recomputable(&self, id: LocalId) -> bool {
        let local = &self.locals[id];
        let fixed = |read: &LocalId| {
            let read_local = &self.locals[*read];
            (self.pieces.uniform.contains(read) && !read_local.mutable) || self.recomputable(*read)
        };
        local.recompute.is_some()
            && !local.facts.opaque
            && !local.facts.collective()
            && !local.facts.returns
            && local.facts.writes.is_empty()
            && local.facts.reads.iter().all(fixed)
    }

    /// A warp operation: all lanes' arguments, then all lanes' results.
    fn warp_call(&mut self, call: &Exchange) -> TokenStream {
        let mut facts = Facts::default();
        for (_, argument) in &call.arguments {
            facts.add(argument);
        }
        let none = BTreeSet::new();
        self.note(&facts, &none);
        let loads = self.loads(&facts, &none, Level::Warp);
        let (private, block, thread, warp, dead) = (private(), block(), context(), warp(), dead());
        let names: Vec<Ident> = (0..call.arguments.len()).map(|k| hidden(&format!("__wc_argument_{k}"))).collect();
        let values = call.arguments.iter().map(|(tokens, _)| tokens);
        // An argument may be a block that assigns.
        let stores = self.stores(facts.writes);
        let sends = self.threads(quote!(#loads #(#names.set(#thread, #values);)* #stores), Level::Warp);

        let receive = self.receive(call);
        let (function, site) = (&call.function, call.site);
        let receives = self.threads(
            quote!(let __wc_result = #function(#thread.at(#site), __wc_present #(, &#names)*); #receive),
            Level::Warp,
        );
        let present = if self.masked { quote!(#dead.present(#block, #warp)) } else { quote!(#block.lane_mask(#warp)) };
        quote!({
            #(let mut #names = #private::Lanes::new();)*
            let __wc_present = #present;
            #sends
            #receives
        })
    }

    /// A barrier with a value: all threads' votes, then what they are together.
    fn vote(&mut self, call: &Exchange, uniform: bool) -> TokenStream {
        let mut facts = Facts::default();
        for (_, argument) in &call.arguments {
            facts.add(argument);
        }
        let none = BTreeSet::new();
        self.note(&facts, &none);
        let loads = self.loads(&facts, &none, Level::Block);
        let (private, thread, votes) = (private(), context(), hidden("__wc_votes"));
        let casts = call.arguments.iter().map(|(tokens, _)| quote!(#votes.add(#tokens);));
        let casts = self.threads(quote!(#loads #(#casts)*), Level::Block);
        let (first, function, site) = (self.first_thread(Level::Block), &call.function, call.site);
        let result = quote! {
            let mut #votes = #private::Votes::new();
            #casts
            #first
            let __wc_result = #function(#thread.at(#site), &#votes);
        };
        if !uniform {
            let receive = self.receive(call);
            let receives = self.threads(receive, Level::Block);
            return quote!({ #result #receives });
        }
        let ident = call.target.local().map(|id| &self.locals[id].ident);
        match call.target {
            Target::AssignOp(_, op, site) => {
                let value = combine(op, &quote!(#ident), site);
                quote!({ #result #ident = #value; })
            }
            Target::Let(_) => quote!(let mut #ident = { #result __wc_result };),
            Target::Assign(_) | Target::None => quote!(#ident = { #result __wc_result };),
        }
    }

    /// Puts the result of an exchange where it goes.
    fn receive(&mut self, call: &Exchange) -> TokenStream {
        let (id, op) = match call.target {
            Target::None => return quote!(let _ = __wc_result;),
            Target::Let(id) | Target::Assign(id) => (id, None),
            Target::AssignOp(id, op, site) => (id, Some((op, site))),
        };
        let touched = Facts { reads: [id].into(), ..Facts::default() };
        let declared = if matches!(call.target, Target::Let(_)) { BTreeSet::from([id]) } else { BTreeSet::new() };
        self.note(&touched, &declared);
        if !self.crossing.contains(&id) {
            return quote!(let _ = __wc_result;);
        }
        let (slot, thread) = (self.slot(id), context());
        match op {
            None => quote!(#slot.set(#thread, __wc_result);),
            Some((op, site)) => {
                let value = combine(op, &quote!(#slot.get(#thread)), site);
                quote!(#slot.set(#thread, #value);)
            }
        }
    }
}

/// `left op __wc_result`, whatever the type of `left`. Division isn't possible here: it can fault, so such a statement isn't
/// split.
fn combine(op: BinaryOp, left: &TokenStream, site: SiteId) -> TokenStream {
    let (private, thread) = (private(), context());
    let operator = match op {
        BinaryOp::BitAnd => quote!(BitAndAssign),
        BinaryOp::BitOr => quote!(BitOrAssign),
        BinaryOp::BitXor => quote!(BitXorAssign),
        BinaryOp::Add => quote!(AddAssign),
        BinaryOp::Sub => quote!(SubAssign),
        BinaryOp::Mul => quote!(MulAssign),
        BinaryOp::Shl => return quote!(#private::shl(#left, __wc_result, #thread, #site)),
        _ => return quote!(#private::shr(#left, __wc_result, #thread, #site)),
    };
    quote!({
        let mut __wc_left = #left;
        #private::operate_assign::<#private::operators::#operator, _, _>(&mut __wc_left, __wc_result, #thread, #site);
        __wc_left
    })
}

/// A loop over the threads of a block. Three loops, so that no index is computed by division.
pub(crate) fn block_threads(body: TokenStream) -> TokenStream {
    let (block, thread) = (block(), context());
    quote! {
        for __wc_z in 0..#block.dim_z() {
            for __wc_y in 0..#block.dim_y() {
                for __wc_x in 0..#block.dim_x() {
                    let #thread = #block.thread(__wc_x, __wc_y, __wc_z);
                    #body
                }
            }
        }
    }
}
