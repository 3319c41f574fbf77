// What the reader did to the words: masked, locked, replaced. Every change can be undone.

export const NONE = { masked: [], locked: [], replaced: {} };

const sorted = (units) => [...new Set(units)].sort((one, other) => one - other);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export const createMarks = (changed) => {
  let past = [NONE], at = 0;
  const current = () => past[at];
  const go = (to) => {
    at = to;
    changed(current());
  };
  const put = (change) => {
    const next = { ...current(), ...change };
    next.masked = sorted(next.masked.filter((unit) => !next.locked.includes(unit)));
    if (same(next, current())) return;
    past = [...past.slice(0, at + 1), next];
    go(at + 1);
  };
  const free = (units) => units.filter((unit) => !current().locked.includes(unit));

  return {
    current,
    // A phrase is masked unless all of it is masked already.
    toggle(units) {
      const { masked } = current(), chosen = free(units), isMasked = chosen.every((unit) => masked.includes(unit));
      put({ masked: isMasked ? masked.filter((unit) => !chosen.includes(unit)) : [...masked, ...chosen] });
    },
    mask: (units) => put({ masked: free(units) }),
    maskAllBut: (units, count) => put({ masked: free([...Array(count).keys()]).filter((unit) => !units.includes(unit)) }),
    toggleLock(units) {
      const { locked } = current(), isLocked = units.every((unit) => locked.includes(unit));
      put({ locked: isLocked ? locked.filter((unit) => !units.includes(unit)) : sorted([...locked, ...units]) });
    },
    replace(unit, text) {
      const { [unit]: _, ...others } = current().replaced;
      put({ replaced: text === null ? others : { ...others, [unit]: text }, masked: current().masked.filter((one) => one !== unit) });
    },
    undo: () => at > 0 && go(at - 1),
    redo: () => at + 1 < past.length && go(at + 1),
    canUndo: () => at > 0,
    canRedo: () => at + 1 < past.length,
    clear: () => put(NONE),
    begin(marks = NONE) {
      [past, at] = [[{ ...NONE, ...marks }], 0];
      changed(current());
    },
  };
};
