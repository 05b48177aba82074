/** Preloaded into a worker: its clock is CLOCK_MS ahead of everybody else's. */
const ahead = Number(process.env.CLOCK_MS ?? 0);
const Real = globalThis.Date;

if (ahead !== 0) {
  globalThis.Date = class extends Real {
    constructor(...given) {
      super(...(given.length === 0 ? [Real.now() + ahead] : given));
    }
    static now() {
      return Real.now() + ahead;
    }
  };
}
