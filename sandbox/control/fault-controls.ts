// Faults: put in place, taken away, and how their chances fall.
import type { Engine } from '../engine.js';
import { refuse } from '../http/refusal.js';
import type { Control } from './control.js';
import { faultFrom, type AddFault } from './fault-rules.schema.js';

type FaultControls = Pick<Control, 'addFault' | 'removeFault' | 'clearFaults' | 'setSeed'>;

export function faultControls(engine: Engine): FaultControls {
  const { faults } = engine;
  return {
    addFault(rule) {
      checkPlace(engine, rule);
      return { id: faults.add(faultFrom(rule)).id };
    },
    removeFault(id) {
      if (!faults.remove(id)) throw refuse(404, 'Not Found', `There is no fault ${id}; it may be used up`);
    },
    clearFaults: () => {
      faults.clear();
    },
    setSeed: (seed) => {
      faults.reseed(seed);
    },
  };
}

function checkPlace({ reads }: Engine, { on, do: action }: AddFault): void {
  if (action !== 'read_lag' || on === '*' || reads.has(on)) return;
  throw refuse(400, 'Bad control request', `do: ${action} is for reads, and ${on} is none`);
}
