import { expect, test } from 'vitest';
import { OLD_RULES } from './old-rules.js';
import { runLives } from './run.js';

const SEED = 2;
const LIVES = 20_000;

test.each(Object.entries(OLD_RULES))('the simulator detects an old rule: %s', async (_name, rule) => {
  // A rule names a seed that reaches its violation sooner.
  const { rules, shownBy, seed = SEED } = { seed: undefined, ...rule };
  const { failed } = await runLives({ lives: LIVES, seed }, rules);
  expect(failed?.violation.invariant).toBe(shownBy);
});
