// How a run of the model ends: the weather clears, the sweep passes by once, and then everything must be as the provider has it.
import { isUnderWay } from '../../domain/action.js';
import { stateOf } from '../../workflows/agreement/state.js';
import { wants } from '../../workflows/agreement/next.js';
import { flagsOf } from './driver.js';
import { EVENT_CELLS, SNAPSHOT_CELLS, STATES } from './expectations.js';
import { knownIn, note } from './world.js';
import type { Action } from '../../domain/action.js';
import type { State } from '../../workflows/agreement/state.js';
import type { Fact } from '../../domain/fact.js';
import type { Verdict } from './expectations.js';
import type { Shown, State as Word } from './provider-interface.js';
import type { World } from './world.js';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than any payer may take, and than any ladder waits. */
const LONG_MS = 8 * DAY_MS;

/** Nothing goes wrong any more, and everything that comes by itself has come. */
export async function quiesce(world: World): Promise<void> {
  const { agenda, driver, network, provider, seen, setup } = world;
  network.calm(setup.late);
  // The connection wakes who waits for consent more than once: an answer may have been on its way.
  await agenda.pass(MINUTE_MS);
  if (driver.state()?.blocked !== undefined) await driver.restored();
  await agenda.pass(LONG_MS);
  const state = driver.state();
  const shown = provider.agreement()?.state;
  if (state !== undefined && shown !== undefined) assertWithoutSweep(world, state, shown);
  if (shown !== undefined && (state === undefined || stateOf(state) !== shown)) {
    note(seen, 'the sweep found a difference');
    await driver.differs();
  }
  await agenda.pass(LONG_MS);
}

/**
 * What the sweep is not needed for. Whatever is awaited is found by asking; and who knows all that was told, or has been told
 * of something that did not fit, has it right.
 */
function assertWithoutSweep(world: World, state: State, shown: Word): void {
  const isRight = stateOf(state) === shown;
  const doing = wants(state)[0]?.do;
  if (!isRight && (doing === 'await_payer' || doing === 'await_outcome' || doing === 'await_amendment'))
    throw new Error(`asking never found ${shown}`);
  const unknown = world.provider.history().filter((event) => !knownIn(state)(event));
  if (!isRight && unknown.length === 0 && !world.hadLag)
    throw new Error(`everything is known, but not that it is ${shown}`);
  const odd = state.olderCount > 0 || world.hadLag ? undefined : newestOdd(state);
  if (odd !== undefined && unknown.some(({ publishedAtMs }) => publishedAtMs < Date.parse(odd.publishedAt)))
    throw new Error(`${odd.type} did not fit, and what was missed before it was never read`);
}

/** The newest event that asks for a look, by the tables of this test. */
function newestOdd(state: State): Fact | undefined {
  let word: Word = 'pending';
  let odd: Fact | undefined;
  for (const fact of [...state.facts].sort((a, b) =>
    a.publishedAt + a.id < b.publishedAt + b.id ? -1 : 1,
  )) {
    if (!fact.authenticated || (fact.source === 'command' && fact.type !== 'failed')) continue;
    const verdict = verdictOn(word, fact);
    if (verdict === 'conflict' || verdict === 'unknown' || verdict === 'needs look-up') odd = fact;
    else if (verdict !== 'still') word = verdict;
  }
  return odd;
}

const isUnheardOf = ({ source, type }: Fact): boolean =>
  source !== 'command' && type !== 'observed' && EVENT_CELLS[type] === undefined;

function verdictOn(word: Word, { type, state: seen }: Fact): Verdict {
  if (type !== 'observed') return EVENT_CELLS[type]?.get(word) ?? 'unknown';
  const shown = STATES.find((one) => one === seen);
  return (shown === undefined ? undefined : SNAPSHOT_CELLS[word].get(shown)) ?? 'unknown';
}

/** @throws Error that says what is not as it must be. */
export function assertEnding(world: World): void {
  const { arrived, driver, provider } = world;
  const state = driver.state();
  const shown = provider.agreement();
  if (state === undefined || shown === undefined) return assertUnknown(world);
  expectSame('state', stateOf(state), shown.state);
  assertTerms(world, state, shown);
  if (state.facts.length + state.olderCount < arrived.size) throw new Error('fewer facts than webhooks');
  for (const flag of flagsOf(state)) {
    const isLate = flag === 'overdue' && (shown.state === 'created' || state.actions.some(isUnderWay));
    const isNewToUs = flag === 'unrecognised' && (state.olderCount > 0 || state.facts.some(isUnheardOf));
    if (!isLate && !isNewToUs) throw new Error(`${flag} still stands, and nothing is odd`);
  }
  if (state.doubts !== 0 || (state.isLookUpDue && !driver.isOver()))
    throw new Error('a look-up is still due');
  state.actions.forEach((action) => {
    assertAction(world, action);
  });
  for (const key of world.asked.keys()) {
    if (!state.actions.some((action) => action.key === key)) throw new Error(`${key} was forgotten`);
  }
}

/** The terms are those that hold, unless nobody could know of new ones. */
function assertTerms({ endedUnasked, hadLag, provider }: World, state: State, { maxAmount }: Shown): void {
  const ours = provider
    .history()
    .filter(({ type, causedBy }) => type === 'amended' && causedBy === 'initiator');
  if (ours.every(knownIn(state))) {
    if (!hadLag) expectSame('amount', state.mandate?.payment_terms?.max_amount, maxAmount);
    return;
  }
  const isSentTwice = state.actions.some(({ key }) => provider.timesAsked(key) > 1);
  if (!isSentTwice && !hadLag && !endedUnasked)
    throw new Error('an amendment of ours was never found to be done');
}

/** What the provider has never had. */
function assertUnknown({ driver, provider, setup }: World): void {
  const state = driver.state();
  if (state === undefined || provider.agreement() !== undefined) return;
  if (state.actions.some(isUnderWay)) throw new Error('something is awaited of nothing');
  if (setup.beginsAs === 'orphan') expectSame('orphan', state.submission.stage, 'unknown');
  else expectSame('refused', stateOf(state), 'failed');
}

function assertAction(
  { asked, endedUnasked, hadLag, hadStraggler, provider }: World,
  { key, ask, stage }: Action,
): void {
  const effects = provider.effectsOf(key);
  // Nothing takes back what is on its way, and the provider knows no key to tell a repeat by (docs/provider.md#agreements-actions).
  if (effects > 1 && !hadStraggler) throw new Error(`${key} took effect ${effects} times`);
  if (stage === 'asked') throw new Error(`${key} was never sent`);
  if (stage === 'accepted' && !provider.isUnderWay(ask.kind)) throw new Error(`${key} is awaited for ever`);
  // Of what was sent twice, as an answer was lost, one may fail and the other not: its events then answer more than was asked.
  const isSentTwice = [...asked.keys()].some((one) => provider.timesAsked(one) > 1);
  // An old reading may hide what was done, too, and so may an end that nobody could look at; the state is right all the same.
  const isPlain = !hadLag && !isSentTwice && !endedUnasked;
  if (isPlain && effects === 1 && stage !== 'done')
    throw new Error(`${key} was carried out, and counts as ${stage}`);
  const isOurs = ask.kind === 'amendment' || ask.kind === 'amendment_recall';
  if (isPlain && isOurs && stage === 'done' && effects === 0)
    throw new Error(`${key} counts as done, and is not`);
}

function expectSame(what: string, ours: unknown, theirs: unknown): void {
  if (ours !== theirs) throw new Error(`${what}: we have ${String(ours)}, expected ${String(theirs)}`);
}
