import { setTimeout as pause } from 'node:timers/promises';
import { FLOAT_ID } from '../support/sandbox/payments.js';
import { createBackend } from './backend.js';
import { campaignOf, type Campaign } from './campaign.js';
import { createDrive, dayOfPlans, type Drive } from './drive.js';
import { setFaults } from './faults.js';
import { inTurns } from './in-turns.js';
import {
  entriesNamedIn,
  followEvents,
  recordedInTheEnd,
  recordsViolation,
  type Recorded,
} from './records.js';
import { truthOf, verdictOf, violationSoFar, type Known, type Tally, type Verdict } from './judge.js';
import { bringUpForChaos, type ChaosStack } from './stack.js';
import { killsIn, type KillCounts } from './kills.js';
import { firstWaiting, knownOf, standOf } from './standing.js';

export interface Chaos {
  seed: number;
  payments: number;
  /** Of kills. More take longer, because each interrupts the work. */
  rounds: number;
  print: (line: string) => void;
}

export interface Run {
  verdict: Verdict;
  tally: Tally;
  known: ReadonlyMap<string, Known>;
  kills: KillCounts;
  recorded: Recorded;
}

const PAUSE_MS = 500;
const PROGRESS_MS = 10_000;
const STALL_MS = 8 * 60_000;
const LISTED_WITHIN_MS = 60_000;
const FEW = 3;
const BALANCE = 1_000_000_000;

export async function runChaos({ seed, payments, rounds, print }: Chaos): Promise<Run> {
  const day = dayOfPlans();
  const campaign = campaignOf(seed, payments, day);
  const stack = await bringUpForChaos(rounds, print);
  const follower = followEvents(stack.api);
  try {
    const drive = createDrive(stack, campaign, day);
    prepare(stack, campaign);
    await drive.open();
    print(`${campaign.agreements.length} agreements are active`);
    setFaults(stack.provider, campaign);
    await Promise.race([work(stack, campaign, drive, print), follower.failure()]);
    const known = await knownInTheEnd(stack, campaign, drive);
    const { tally } = drive;
    const verdict = verdictOf(campaign, tally, known);
    const truth = truthOf(campaign, tally, known);
    const recorded = await recordedInTheEnd(stack, truth, follower);
    verdict.violation ??= recordsViolation(truth, recorded);
    for (const line of await entriesNamedIn(stack, verdict.violation ?? '', truth)) print(line);
    return { verdict, tally, known, recorded, kills: stack.kills.counts() };
  } finally {
    follower.stop();
    await stack.close();
  }
}

function prepare({ provider }: ChaosStack, { agreements, payouts, intents }: Campaign): void {
  provider.setLimits({ agreements_per_debtor_per_day: agreements.length + payouts.length + 1 });
  provider.patchFloatAccount(FLOAT_ID, { available_balance: BALANCE });
  for (const { uid } of intents.filter(({ failures }) => failures > 0))
    provider.scriptPayment(uid, { simulate: 'insufficient_funds' });
}

async function work(
  stack: ChaosStack,
  campaign: Campaign,
  drive: Drive,
  print: Chaos['print'],
): Promise<void> {
  const { kills } = stack;
  const killing = kills.begin();
  killing.catch(() => undefined);
  let isAllAsked = false;
  const asking = drive.askForAll().then(() => (isAllAsked = true));
  asking.catch(() => undefined);
  const until = async (): Promise<void> => {
    let quiet = 0;
    const heed = createStallWatch();
    for (let nextMs = 0; quiet < 2; await pause(PAUSE_MS)) {
      drive.react();
      const violation = violationSoFar(campaign, drive.tally);
      if (violation !== undefined) throw new Error(violation);
      const isIdle = drive.underWay().length === 0 && isAllAsked && kills.isDone();
      const isDue = Date.now() >= nextMs;
      if (!isDue && !isIdle) continue;
      if (isIdle) await stack.provider.retryWebhooks();
      const stand = await standOf(stack);
      quiet = isIdle && stand.waiting === 0 ? quiet + 1 : 0;
      if (!isDue) continue;
      nextMs = Date.now() + PROGRESS_MS;
      const waiting = [...(await firstWaiting(stack)), ...drive.underWay().slice(0, FEW)].join(', ');
      const standing = `${drive.tally.created.size} at the provider, ${stand.running} in progress, ${stand.parked} parked`;
      print(`${standing}, killed: ${killsIn(kills.counts())}; ${waiting}`);
      heed(standing, waiting);
    }
  };
  await Promise.race([until(), killing, asking.then(() => new Promise<never>(() => undefined))]);
  await kills.rest();
}

function createStallWatch(): (standing: string, waiting: string) => void {
  let last = { standing: '', sinceMs: Date.now() };
  return (standing, waiting) => {
    if (standing !== last.standing) last = { standing, sinceMs: Date.now() };
    else if (Date.now() - last.sinceMs > STALL_MS)
      throw new Error(
        `expected a change within ${STALL_MS / 60_000} minutes; still ${standing}; waiting: ${waiting}`,
      );
  };
}

/**
 * Only a webhook tells of a payout, and the provider sends it again after five minutes if the API was killed. Temporal's lists lag too, so a workflow
 * that is missing is sought again. @throws Error if it is still missing.
 */
async function knownWorkflows(stack: ChaosStack, admitted: Iterable<string>): Promise<Map<string, Known>> {
  const untilMs = Date.now() + LISTED_WITHIN_MS;
  for (;;) {
    await stack.provider.retryWebhooks();
    const { waiting } = await standOf(stack);
    const known = await knownOf(stack);
    const missing = [...admitted].find((uid) => !known.has(uid));
    if (missing === undefined && waiting === 0) return known;
    if (Date.now() > untilMs)
      throw new Error(
        `expected a workflow for each admitted refund and its payout, and none under way; missing: ${missing ?? 'none'}, under way: ${waiting}`,
      );
    await pause(PAUSE_MS);
  }
}

async function knownInTheEnd(
  stack: ChaosStack,
  { intents }: Campaign,
  drive: Drive,
): Promise<Map<string, Known>> {
  const { api } = stack;
  const known = await knownWorkflows(stack, drive.admitted);
  const backend = createBackend(api);
  const retried = intents.filter(({ uid, failures }) => failures > 0 || known.get(uid)?.isParked === true);
  await inTurns(8, retried, async ({ uid }) => {
    const one = known.get(uid);
    if (one !== undefined) known.set(uid, { ...one, attempts: await backend.attempts(uid) });
  });
  drive.react();
  return known;
}
