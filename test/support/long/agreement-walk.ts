// Walks a story along the whole road, lets everything come to rest, and says in what the agreement then differs from the provider's.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ACTION_REFUSAL_CODES } from '../../../domain/action.js';
import { agreementWorkflowId } from '../../../workflows/agreement/contract.js';
import { anAgreement } from '../road.js';
import { fastForward } from '../temporal.js';
import type { Reply, Road } from '../road.js';
import type { Temporal } from '../temporal.js';
import type { Asked, Step, Story } from './agreement-stories.js';

export interface Walk {
  uid: string;
  story: Story;
  /** Commands that were taken, by their kind. */
  taken: Map<Asked, number>;
}

const Shown = z.object({
  state: z.string(),
  awaiting: z.object({ what: z.string() }),
  pending_action: z.object({ kind: z.string() }).nullable(),
  attention: z.array(z.object({ code: z.string() })),
});
type Shown = z.output<typeof Shown>;
const Page = z.object({
  data: z.array(z.object({ id: z.string() })),
  older_count: z.int(),
  links: z.object({ next: z.string().optional() }),
});
const Refused = z.object({ code: z.string() });

const FINAL = ['declined', 'expired', 'cancelled', 'failed'];
const WHY = { reason: 'initiating_party_requested', narrative: 'As the story has it' };
/** What a command can be answered with, besides that it is taken; anything else is a fault. */
const REFUSALS: readonly string[] = ACTION_REFUSAL_CODES;

export async function begin(road: Road, connection: string, story: Story): Promise<Walk> {
  const uid = `agr-${randomUUID()}`;
  road.sandbox.control.scriptPayer(uid, { simulate: story.payer });
  const { status } = await road.post('/v1/agreements?wait=5', anAgreement(uid, { connection }));
  if (status !== 202 && status !== 201) throw new Error(`the agreement was answered with ${status}`);
  return { uid, story, taken: new Map() };
}

export async function walk(road: Road, along: Walk): Promise<void> {
  for (const step of along.story.steps) await take(road, along, step);
}

async function take(road: Road, along: Walk, step: Step): Promise<void> {
  const { control } = road.sandbox;
  const { uid } = along;
  switch (step.do) {
    case 'payer':
      return ifPossible(() => {
        control.actAsPayer(uid, step.action);
      });
    case 'service':
      return ifPossible(() => {
        control.actAsService(uid, step.action);
      });
    case 'restless':
      return ifPossible(() => {
        for (let count = 0; count < step.times; count += 1) {
          control.actAsPayer(uid, 'suspend');
          control.actAsPayer(uid, 'reactivate');
        }
      });
    case 'ask':
      return ask(road, along, step);
    case 'look_up':
      await road.post(`/v1/agreements/${uid}/look-up`, {});
      return;
    case 'script':
      return control.scriptAction(uid, step.script);
    case 'fault':
      control.addFault({ ...step.fault, resource_uid: uid });
      return;
    case 'advance':
      await control.advance(step.seconds);
      return;
    case 'pause':
      await pause(step.ms);
  }
}

/** The sandbox refuses what the payer or the service cannot do as things stand; then nothing happens. */
function ifPossible(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Error && /cannot|not possible/i.test(error.message))) throw error;
  }
}

async function ask(
  road: Road,
  { uid, taken }: Walk,
  { kind, maxAmount, copies }: Extract<Step, { do: 'ask' }>,
): Promise<void> {
  const key = { 'idempotency-key': randomUUID() };
  const body = {
    amendment: { changes: { payment_terms: { max_amount: maxAmount } } },
    suspension: WHY,
    cancellation: WHY,
    reactivation: {},
    'amendment/recall': {},
  }[kind];
  const post = (): Promise<Reply> => road.post(`/v1/agreements/${uid}/${kind}`, body, key);
  const answers = await Promise.all(Array.from({ length: copies }, post));
  for (const { status, body: problem } of answers) {
    if (status === 202) continue;
    const { code } = Refused.parse(problem);
    if (!REFUSALS.includes(code)) throw new Error(`${kind} was answered with ${status} ${code}`);
  }
  if (answers.some(({ status }) => status === 202)) taken.set(kind, (taken.get(kind) ?? 0) + 1);
}

/** Look-ups stand for the sweep, and the workflow's own clock moves on where it waits to look again. */
export async function settle(road: Road, { client }: Temporal, along: Walk): Promise<Shown> {
  for (let round = 0; ; round += 1) {
    const shown = Shown.parse((await road.get(`/v1/agreements/${along.uid}`)).body);
    if (isAtRest(road, along, shown) || round === ROUNDS) return shown;
    if (round % 4 === 3) await fastForward(client, agreementWorkflowId(along.uid), AN_HOUR_SECONDS);
    else if (round % 4 === 0) await road.post(`/v1/agreements/${along.uid}/look-up`, {});
    await pause(700);
  }
}

const ROUNDS = 40;
const AN_HOUR_SECONDS = 3600;

function isAtRest(road: Road, along: Walk, { state, awaiting, pending_action: pending }: Shown): boolean {
  const provider = providersOf(road, along.uid);
  const isAwaited = pending === null || pending.kind === 'creation' || provider.open.length > 0;
  return state === provider.state && isAwaited && awaiting.what !== 'look-up';
}

/** As the provider has it: its state, what it has not finished, and every event of it. */
function providersOf({ sandbox }: Road, uid: string) {
  const agreement = sandbox.control.state().agreements.find((one) => one.uid === uid);
  const changes = sandbox.control.ledger(0, { kind: 'change', resource_uid: uid });
  const open = [
    ...(agreement?.pending_actions.map(({ action }) => String(action)) ?? []),
    ...(agreement?.amendments
      .filter(({ state }) => ['pending', 'created'].includes(state))
      .map(() => 'amendment') ?? []),
  ];
  const events = changes.flatMap((entry) =>
    entry.kind === 'change' && entry.event_id !== null ? [entry.event_id] : [],
  );
  const doneOf = (kind: string): number =>
    changes.filter(
      (entry) =>
        entry.kind === 'change' &&
        entry.resource_type === `payto_agreement_${kind}` &&
        entry.to === 'completed',
    ).length;
  return { state: agreement?.state, open, events, doneOf };
}

/** Ids of events that were pushed and taken. */
const pushedOf = ({ sandbox }: Road, uid: string): string[] =>
  sandbox.control
    .ledger(0, { kind: 'webhook', resource_uid: uid })
    .flatMap((entry) => (entry.kind === 'webhook' && entry.status === 200 ? [entry.event_id] : []));

/** What is not as it must be; nothing when all is well. */
export async function faultsOf(road: Road, along: Walk, shown: Shown): Promise<string[]> {
  const { uid, taken } = along;
  const provider = providersOf(road, uid);
  const faults: string[] = [];
  if (shown.state !== provider.state) faults.push(`we have ${shown.state}, the provider ${provider.state}`);
  if (shown.pending_action !== null && shown.pending_action.kind !== 'creation' && provider.open.length === 0)
    faults.push(`${shown.pending_action.kind} is awaited, and the provider has nothing under way`);
  if (shown.awaiting.what === 'look-up') faults.push('a look is still owed');
  if (shown.attention.some(({ code }) => code === 'conflict')) faults.push('a conflict stands');
  const known = await timelineOf(road, uid);
  // What is over is not looked at again: of its events those are known that were pushed.
  const due = FINAL.includes(shown.state)
    ? pushedOf(road, uid)
    : [...provider.events, ...pushedOf(road, uid)];
  const lost = due.filter((id) => !known.includes(id));
  if (lost.length > 0) faults.push(`${lost.length} of ${due.length} events are not in the timeline`);
  if (new Set(known).size !== known.length) faults.push('a fact stands twice in the timeline');
  for (const kind of ['suspension', 'reactivation', 'cancellation'] as const) {
    const done = provider.doneOf(kind);
    if (done > (taken.get(kind) ?? 0))
      faults.push(`${kind} was done ${done} times, asked ${taken.get(kind) ?? 0}`);
  }
  return faults;
}

async function timelineOf(road: Road, uid: string): Promise<string[]> {
  const ids: string[] = [];
  for (let path: string | undefined = `/v1/agreements/${uid}/timeline?per_page=100`; path !== undefined;) {
    const page: z.output<typeof Page> = Page.parse((await road.get(path)).body);
    ids.push(...page.data.map(({ id }) => id));
    path = page.links.next;
  }
  return ids;
}
