// What can happen to an agreement in the model, one thing at a time: the payer acts, the provider acts, a caller commands, an
// operator looks, the network misbehaves, time passes. Each says when it can happen; what must hold is checked along the way.
import type fc from 'fast-check';
import { ApplicationFailure } from '@temporalio/common';
import { isUnderWay } from '../../domain/action.js';
import { stateOf } from '../../workflows/agreement/state.js';
import { foldedOf } from '../../workflows/entity/state.js';
import { AGREEMENT_LIFE } from '../../domain/agreement.js';
import { expectedAnswer } from './expectations.js';
import { flagsOf } from './driver.js';
import { note } from './world.js';
import type { ActionKind, ActionRequest, Ask } from '../../domain/action.js';
import type { State } from '../../workflows/agreement/state.js';
import type { CallWeather, WebhookWeather } from './network.js';
import type { Outcome, PayerMove, ServiceMove } from './provider-interface.js';
import type { World } from './world.js';

export type Command = fc.AsyncCommand<World, World>;

const SECOND = 1000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

const command = (
  name: string,
  can: (world: Readonly<World>) => boolean,
  run: (world: World) => void | Promise<void>,
): Command => ({
  check: can,
  run: async (_model, world) => {
    await run(world);
    await world.agenda.settle();
  },
  toString: () => name,
});

const always = (): boolean => true;
const isAlive = ({ driver }: Readonly<World>): boolean => driver.state() !== undefined && !driver.isOver();

export const passing = (ms: number): Command =>
  command(`pass ${ms} ms`, always, async ({ agenda }) => {
    await agenda.pass(ms);
  });

export const payer = (move: PayerMove): Command =>
  command(
    `payer: ${move}`,
    ({ provider }) => provider.canPayer(move),
    ({ provider }) => {
      provider.payer(move);
    },
  );

export const service = (move: ServiceMove): Command =>
  command(
    `service: ${move}`,
    ({ provider }) => provider.canService(move),
    ({ provider }) => {
      provider.service(move);
    },
  );

/** The payer pauses and resumes it again and again, of which the network may tell nothing. */
export const restless = (times: number, isDelivered: boolean, everyMs = 0): Command =>
  command(
    `payer: ${times} times suspend and resume, ${isDelivered ? 'told' : 'untold'}`,
    canPause,
    async (world) => {
      for (let count = 0; count < times; count += 1) {
        if (!isDelivered) [[], []].forEach(world.network.nextWebhook);
        if (!canPause(world)) return;
        world.provider.payer('suspend');
        world.provider.payer('resume');
        await world.agenda.pass(everyMs);
      }
    },
  );

const canPause = ({ provider }: Readonly<World>): boolean => provider.canPayer('suspend');

/** Somebody has the provider deliver once more what it delivered long ago. */
export const redelivers = (which: number): Command =>
  command(
    `redelivered: event ${which + 1}`,
    ({ provider }) => provider.history().length > which,
    (world) => {
      const event = world.provider.history()[which];
      if (event === undefined) return;
      const { forgottenBefore = '', olderIds = [] } = world.driver.state() ?? {};
      const isForgotten = event.publishedAtMs < Date.parse(forgottenBefore) && !olderIds.includes(event.id);
      if (isForgotten) note(world.seen, 'redelivered what was forgotten');
      world.network.push(event);
    },
  );

/** So much happens that the oldest facts are no longer kept in full when a new run takes over. */
export const growsOld = (times: number, which: number): Command =>
  command(
    `${times} times paused and resumed, then continue as new, then event ${which + 1} again`,
    (world) => canPause(world) && isAlive(world),
    async (world) => {
      await restless(times, true, SECOND).run(world, world);
      await world.agenda.pass(MINUTE);
      if (isAlive(world)) await handsOver.run(world, world);
      await redelivers(which).run(world, world);
    },
  );

export const asking = (kind: ActionKind, maxAmount: number): Ask => {
  if (kind === 'amendment') return { kind, body: { changes: { payment_terms: { max_amount: maxAmount } } } };
  if (kind === 'suspension' || kind === 'cancellation')
    return { kind, body: { reason: 'customer_requested', narrative: 'As asked' } };
  return { kind, body: {} };
};

export const asks = (kind: ActionKind, maxAmount: number): Command =>
  command(`ask for ${kind}${kind === 'amendment' ? ` to ${maxAmount}` : ''}`, isAlive, async (world) => {
    const key = `key-${world.asked.size + 1}`;
    const request: ActionRequest = { key, ask: asking(kind, maxAmount) };
    const expected = expectedOf(world.driver.state(), kind);
    const answer = await answerTo(world, request);
    if (answer !== expected) throw new Error(`${kind} was answered with ${answer}, expected ${expected}`);
    note(world.seen, `${kind} ${answer}`);
    if (answer === 'taken') world.asked.set(key, request);
  });

/** An amendment that waits for its payer, when all goes well. */
export const proposes = (maxAmount: number): Command =>
  command(
    `ask for amendment to ${maxAmount} and pass 700 ms`,
    (world) => isAlive(world) && world.provider.canPayer('amend_account'),
    async (world) => {
      await asks('amendment', maxAmount).run(world, world);
      await world.agenda.pass(700);
    },
  );

/** A caller that heard no answer asks again with its key, or means something else by it. */
export const repeats = (which: number, isOther: boolean): Command =>
  command(
    `repeat ask ${which}${isOther ? ' with another body' : ''}`,
    (world) => isAlive(world) && stateIn(world).actions.length > 0,
    async (world) => {
      const before = stateIn(world);
      const action = before.actions[which % before.actions.length];
      const known = world.asked.get(action?.key ?? '');
      if (known === undefined) throw new Error('what stands there was never asked');
      const other: Ask = {
        kind: 'suspension',
        body: { reason: 'customer_requested', narrative: 'Otherwise' },
      };
      const answer = await answerTo(world, isOther ? { ...known, ask: other } : known);
      if (answer !== (isOther ? 'action_key_conflict' : 'taken'))
        throw new Error(`a repeat was answered with ${answer}`);
      if (world.driver.state() !== before) throw new Error('a repeat changed something');
    },
  );

function expectedOf(state: State | undefined, kind: ActionKind): string {
  if (state === undefined) return 'no one to ask';
  const { state: lifeState, causedBy } = foldedOf(AGREEMENT_LIFE, state);
  const open = state.actions.filter(isUnderWay).map(({ ask }) => ask.kind);
  return expectedAnswer({ state: lifeState, isPausedByPayer: causedBy === 'debtor', open }, kind);
}

/** What is refused leaves everything as it was. */
async function answerTo({ driver }: World, request: ActionRequest): Promise<string> {
  const before = driver.state();
  try {
    await driver.ask(request);
    return 'taken';
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    if (driver.state() !== before) throw new Error('a refusal changed something', { cause: error });
    return error.type ?? 'refused without a code';
  }
}

export const lookUp = command('operator: look up', isAlive, async ({ driver }) => {
  await driver.lookUpNow();
});
export const differs = command('the sweep: look', isAlive, async ({ driver }) => {
  await driver.differs();
});
export const resolves = command(
  'operator: resolve what stands',
  (world) => isAlive(world) && flagsOf(stateIn(world)).length > 0,
  async (world) => {
    for (const flag of flagsOf(stateIn(world))) {
      if (isAlive(world) && flagsOf(stateIn(world)).includes(flag)) await world.driver.resolve(flag);
    }
  },
);
export const handsOver = command('continue as new', isAlive, async (world) => {
  const before = stateIn(world);
  await world.driver.handOver();
  const after = stateIn(world);
  if (after.olderCount > 0) note(world.seen, 'older facts dropped');
  if (stateOf(after) !== stateOf(before)) throw new Error('continue as new changed the state');
});

function stateIn({ driver }: Readonly<World>): State {
  const state = driver.state();
  if (state === undefined) throw new Error('expected an agreement that has been started');
  return state;
}

export const losesConsent = command('the consent is lost', always, ({ network }) => {
  network.consent(false);
});
export const regainsConsent = command('the consent is given again', always, async (world) => {
  world.network.consent(true);
  if (isAlive(world)) await world.driver.restored();
});
export const nextCall = (weather: CallWeather): Command =>
  command(`next call: ${JSON.stringify(weather)}`, always, (world) => {
    world.hadLag ||= weather.lagMs > 0;
    world.network.nextCall(weather);
  });
export const nextWebhook = (weather: WebhookWeather): Command =>
  command(`next webhook arrives after ${JSON.stringify(weather)} ms`, always, ({ network }) => {
    network.nextWebhook(weather);
  });
export const commandsFail = (forMs: number, fate: 'lost_before' | 'lost_after'): Command =>
  command(`commands ${fate} for ${forMs} ms`, always, (world) => {
    note(world.seen, 'commands unanswered');
    world.network.failCommands(forMs, fate);
  });
export const plans = (outcome: Outcome): Command =>
  command(`next command ends: ${JSON.stringify(outcome)}`, always, ({ provider }) => {
    provider.plan(outcome);
  });
/** Somebody knows the password of an unsigned bridge, and says what is not so. */
export const forges = (type: string, id: number): Command =>
  command(
    `forged: ${type}`,
    ({ setup }) => !setup.isSigned,
    ({ agenda, driver, seen }) => {
      const at = new Date(agenda.nowMs()).toISOString();
      note(seen, 'forged');
      driver.receive({
        id: `forged-${id}`,
        type,
        publishedAt: at,
        receivedAt: at,
        source: 'webhook',
        authenticated: false,
      });
    },
  );
