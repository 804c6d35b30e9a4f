// `npm run bench:cost`: the cost of agreements, payments and other work, in counts of Temporal and of the provider's ledger,
// never in seconds. The whole product runs as in `npm start`. Exits with 1 above a limit. Arguments select groups by name.
import { canonicalLife } from './cost/life.js';
import { keyBesideAUid } from './cost/keys.js';
import { crowdOfTheSame } from './cost/crowd.js';
import { floatEntries } from './cost/float.js';
import { wholeOnboarding } from './cost/onboarding.js';
import { payments } from './cost/payments.js';
import { idlePolls } from './cost/polls.js';
import { repeats } from './cost/repeats.js';
import { bringUpForCost } from './cost/stack.js';
import { sweepOfTheUnchanged } from './cost/sweep.js';
import { wholeLife } from './cost/whole-life.js';
import { judge } from './figures.js';

const ALL = {
  canonicalLife,
  wholeOnboarding,
  payments,
  wholeLife,
  repeats,
  keyBesideAUid,
  crowdOfTheSame,
  idlePolls,
  floatEntries,
  sweepOfTheUnchanged,
};

const only = process.argv.slice(2).filter((given) => !given.startsWith('--'));
const stack = await bringUpForCost();
try {
  for (const [name, count] of Object.entries(ALL)) {
    if (only.length > 0 && !only.includes(name)) continue;
    for (const figure of await count(stack)) judge(figure);
  }
} finally {
  await stack.close();
}
