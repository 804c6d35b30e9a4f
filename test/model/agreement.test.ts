// Random lives of an agreement against a model of the provider, in virtual time: whatever happens, in whatever order, what we
// have at the end is what the provider has. A failure prints its seed and the shortest life found that shows it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { someCommands } from './chances.js';
import { readModelConfig } from './config.js';
import { assertEnding, quiesce } from './ending.js';
import { KINDS, STATES } from './expectations.js';
import { begin, createWorld } from './world.js';
import type { Command } from './commands.js';
import type { Setup } from './world.js';

/** A few in `npm test`; `npm run test:long` has many (vitest.config.ts). */
const { seed, runs = 250 } = readModelConfig();

/** In a thousand the rarest happens thrice, or not at all. */
const ENOUGH = 10_000;
const MUST_HAPPEN = [
  ...STATES.map((state) => `is ${state}`),
  ...KINDS.map((kind) => `${kind} taken`),
  ...KINDS.map((kind) => `${kind} agreement_final`),
  'reactivation suspended_by_payer',
  'suspension action_pending',
  'amendment_recall no_amendment',
  'amendment_recalled',
  'amended',
  'amendment_declined',
  'amendment_expired',
  'suspension_failed',
  'reticulated',
  'forged',
  'deadline passed',
  'older facts dropped',
  'the sweep found a difference',
  'redelivered what was forgotten',
  'commands unanswered',
  'ended without its last look',
  'straggled',
];

const HOUR_MS = 60 * 60 * 1000;
const someSetup: fc.Arbitrary<Setup> = fc
  .record({
    beginsAs: fc.constantFrom(
      'ours',
      'ours',
      'ours',
      'ours',
      'ours',
      'ours',
      'ours',
      'found',
      'found',
      'orphan',
    ),
    isAccepted: fc.constantFrom(true, true, false),
    isSigned: fc.boolean(),
    skewMs: fc.oneof(
      fc.constant(0),
      fc.integer({ min: -2000, max: 2000 }),
      fc.constantFrom(-HOUR_MS, HOUR_MS),
    ),
    validForDays: fc.constantFrom(undefined, undefined, 2, 400),
    late: fc.constantFrom('lose', 'deliver'),
    registersInMs: fc.constantFrom(20, 20, 20, 60_000, HOUR_MS),
    registration: fc.constantFrom('done', 'done', 'done', 'done', 'done', 'done', 'done', 'failed'),
    refusesCreation: fc.integer({ min: 0, max: 29 }).map((one) => one === 0),
    expiresAfterDays: fc.constantFrom(5, 6),
    cancelsUnanswered: fc.boolean(),
    publishesEnds: fc.boolean(),
    carriesOutInMs: fc.constantFrom(1000, 1000, 50),
    publishesToMs: fc.constantFrom(1, 1, 1, 1000),
    historyToMs: fc.constantFrom(1, 1, 1000),
    showsCreatedAt: fc.constantFrom(true, true, true, false),
    cancelsUnresolvedInMs: fc.constantFrom(undefined, undefined, undefined, 24 * HOUR_MS),
  })
  .map((setup) => ({ ...setup, refusesCreation: setup.refusesCreation && setup.beginsAs === 'ours' }));

test(
  `whatever happens, what we have in the end is what the provider has (seed ${seed})`,
  { timeout: 600_000 },
  async () => {
    console.info(`again: MODEL_SEED=${seed} MODEL_RUNS=${runs} npx vitest run test/model/agreement.test.ts`);
    const seen = new Map<string, number>();
    const life = fc.asyncProperty(someSetup, someCommands, async (setup, commands) => {
      for (const [name, count] of await live(setup, commands)) seen.set(name, (seen.get(name) ?? 0) + count);
    });
    const { failed, counterexample } = await fc.check(life, { seed, numRuns: runs, endOnFailure: true });
    if (failed && counterexample !== null) await fail(...counterexample);
    // Enough has happened for this to say something: every state, every command taken and refused, every way to learn.
    if (runs >= ENOUGH) expect([...seen.keys()]).toEqual(expect.arrayContaining(MUST_HAPPEN));
  },
);

async function live(setup: Setup, commands: Iterable<Command>): Promise<Map<string, number>> {
  const world = createWorld(setup);
  await begin(world);
  await fc.asyncModelRun(() => ({ model: world, real: world }), commands);
  await quiesce(world);
  assertEnding(world);
  return world.seen;
}

/** Leaves out whatever the failure does not need, one thing after the other, and says what is left. */
async function fail(setup: Setup, commands: Iterable<Command>): Promise<never> {
  const reasonOf = async (some: readonly Command[]): Promise<unknown> => {
    try {
      await live(setup, some);
      return undefined;
    } catch (error) {
      return error;
    }
  };
  let needed = [...commands];
  for (let before = Infinity; needed.length < before;) {
    before = needed.length;
    for (const command of needed) {
      const without = needed.filter((other) => other !== command);
      if ((await reasonOf(without)) !== undefined) needed = without;
    }
  }
  const story = needed.map((command) => `  ${command.toString()}`).join('\n');
  const cause = await reasonOf(needed);
  throw new Error(`seed ${seed}: ${String(cause)}\n${JSON.stringify(setup)}\n${story}`, { cause });
}
