// What shall go wrong: a list of rules, each used up after its number of times. The first that fits is taken.
import { randomUUID } from 'node:crypto';
import type { Fault, FaultAction } from './fault.schema.js';
import type { Store } from '../store.js';

export interface Faults {
  add(rule: Omit<Fault, 'id'>): Fault;
  /** The rule to follow now, if any; a rule with a number of times has one fewer left. */
  take(on: Fault['on'], uids: readonly (string | null)[], actions: readonly FaultAction[]): Fault | undefined;
  remove(id: string): boolean;
  clear(): void;
}

export function createFaults(store: Store): Faults {
  const keep = (faults: Fault[]): void => {
    store.faults = faults;
    store.touch();
  };
  return {
    add(rule) {
      const fault: Fault = { ...rule, id: randomUUID() };
      keep([...store.faults, fault]);
      return fault;
    },
    take(on, uids, actions) {
      const fault = store.faults.find(
        (rule) =>
          rule.on === on &&
          actions.includes(rule.do) &&
          (rule.resource_uid === null || uids.includes(rule.resource_uid)),
      );
      if (fault === undefined || fault.times === null) return fault;
      const left = { ...fault, times: fault.times - 1 };
      keep(store.faults.map((rule) => (rule === fault ? left : rule)).filter((rule) => rule.times !== 0));
      return fault;
    },
    remove(id) {
      const known = store.faults.some((rule) => rule.id === id);
      if (known) keep(store.faults.filter((rule) => rule.id !== id));
      return known;
    },
    clear: () => {
      keep([]);
    },
  };
}
