// Selects the fault for a call: the first matching rule. A rule is removed after its number of times.
import { createHash, randomUUID } from 'node:crypto';
import type { FaultAction } from './actions.schema.js';
import type { Fault, FaultPlace } from './rule.schema.js';

// Reproducible random numbers: the same seed, rule and draw always give the same number.
const RANGE = 2 ** 32;

/**
 * At least 0 and less than 1. Each rule has its own sequence, so calls that match only other rules do not change its draws.
 */
export function chance(seed: string, rule: number, draw: number | string): number {
  return createHash('sha256').update(`${seed}/${rule}/${draw}`).digest().readUInt32BE(0) / RANGE;
}

/** The part of the store that contains the faults. */
export interface FaultStore {
  faults: Fault[];
  faultSeed: string;
  faultsAdded: number;
  touch(): void;
}

export type NewFault = Omit<Fault, 'id' | 'number' | 'fitted' | 'fitted_by'>;

export type Faults = ReturnType<typeof createFaults>;

export function createFaults(store: FaultStore) {
  const keep = (faults: Fault[]): void => {
    store.faults = faults;
    store.touch();
  };
  return {
    add(rule: NewFault): Fault {
      store.faultsAdded += 1;
      const fault: Fault = { ...rule, id: randomUUID(), number: store.faultsAdded, ...undrawn() };
      keep([...store.faults, fault]);
      return fault;
    },
    /** The rule to apply now, if any. Reduces the rule's remaining times. */
    take(
      on: Exclude<FaultPlace, '*'>,
      uids: readonly (string | null)[],
      actions: readonly FaultAction[],
    ): Fault | undefined {
      const fits = (rule: Fault): boolean => isAbout(rule, on, uids) && actions.includes(rule.do);
      const fault = store.faults.find((rule) => fits(rule) && isMet(store, rule, uids));
      if (fault?.times != null) keep(withOneFewer(store.faults, fault));
      return fault;
    },
    remove(id: string): boolean {
      const known = store.faults.some((rule) => rule.id === id);
      if (known) keep(store.faults.filter((rule) => rule.id !== id));
      return known;
    },
    clear(): void {
      store.faultsAdded = 0;
      keep([]);
    },
    seed: (): string => store.faultSeed,
    /** Restarts the draws of all rules with this seed. */
    reseed(seed: string): void {
      store.faultSeed = seed;
      store.faultsAdded = store.faults.length;
      keep(store.faults.map((rule, index) => ({ ...rule, number: index + 1, ...undrawn() })));
    },
  };
}

const undrawn = (): Pick<Fault, 'fitted' | 'fitted_by'> => ({ fitted: 0, fitted_by: {} });

function isMet(store: FaultStore, rule: Fault, uids: readonly (string | null)[]): boolean {
  if (rule.share >= 1) return true;
  rule.fitted += 1;
  store.touch();
  return chance(store.faultSeed, rule.number, drawOf(rule, uids)) < rule.share;
}

function drawOf(rule: Fault, uids: readonly (string | null)[]): number | string {
  const uid = uids.find((known) => known !== null);
  if (rule.share_by === 'order' || uid === undefined) return rule.fitted;
  const draw = (rule.fitted_by[uid] ?? 0) + 1;
  rule.fitted_by[uid] = draw;
  return `${uid}/${draw}`;
}

function withOneFewer(faults: readonly Fault[], used: Fault): Fault[] {
  const left = { ...used, times: (used.times ?? 1) - 1 };
  return faults.map((rule) => (rule === used ? left : rule)).filter((rule) => rule.times !== 0);
}

function isAbout(rule: Fault, on: FaultPlace, uids: readonly (string | null)[]): boolean {
  const isPlace = rule.on === on || (rule.on === '*' && on !== 'token' && on !== 'webhook');
  return isPlace && (rule.resource_uid === null || uids.includes(rule.resource_uid));
}
