// Puts the control together for one sandbox.
import type { Engine } from '../engine.js';
import type { Control } from './control.js';
import { faultControls } from './fault-controls.js';
import { isWanted } from './ledger-filter.js';
import { otherSides } from './other-sides.js';
import { settingControls } from './setting-controls.js';
import { deliveriesOf, stateOf } from './state.js';

export function createControl(engine: Engine): Control {
  const { scheduler, clock, ledger, webhooks } = engine;
  return {
    state: () => stateOf(engine),
    ledger: (since = 0, filter = {}) => ledger.since(since).filter((entry) => isWanted(entry, filter)),
    deliveries: () => deliveriesOf(engine),
    async advance(seconds) {
      await scheduler.advance(seconds * 1000);
      return { now: clock.iso() };
    },
    flushWebhooks: () => webhooks.flush(),
    ...otherSides(engine),
    ...faultControls(engine),
    ...settingControls(engine),
  };
}
