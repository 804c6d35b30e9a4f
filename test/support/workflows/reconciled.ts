import { shortHash } from '../../../domain/facts/short-hash.js';
import {
  createStateStore,
  reconcile,
  type Awaited,
  type EntityDefinition,
} from '../../../workflows/engine/reconcile.js';
import { createAgenda } from '../agenda.js';
import { nothingRecorded } from '../nothing-recorded.js';
import { NOTHING_SENT, createVirtualRuntime } from '../virtual-runtime.js';
import { unanswered } from './virtual.js';
import type { AwaitingWhat } from '../../../domain/attention/awaiting.js';
import type { Publishing } from '../../../workflows/engine/publish.js';
import type { Runtime } from '../../../workflows/engine/runtime.js';
import type { Lane, StepRule } from '../../../workflows/engine/step.js';

type Step = { do: 'read' | 'watch' | 'send' | 'sleep' | 'wait' | 'answer'; name: string };
interface ReconciledState extends Awaited {
  wants: Step[];
  isOver: boolean;
  noted: string[];
}

export const read = (name: string): Step => ({ do: 'read', name });
/** Its event mostly comes within `NOTIFIED_WITHIN_MS`. */
export const watch = (name: string): Step => ({ do: 'watch', name });
export const NOTIFIED_WITHIN_MS = 5000;
export const send = (name: string): Step => ({ do: 'send', name });
export const sleep = (name: string): Step => ({ do: 'sleep', name });
export const wait = (name: string): Step => ({ do: 'wait', name });

/** Desired once a person is awaited, as a report to an onboarding is. */
export const REPORT: Step = { do: 'answer', name: 'report' };

const RECORDED = {
  ...{ identity: 'run', sequence: 1, waiting: [], follows: 1, hash: shortHash('{}') },
};

export function begin(...wants: Step[]) {
  const agenda = createAgenda(0);
  const now = (): string => new Date(agenda.nowMs()).toISOString();
  const record = nothingRecorded<ReconciledState>();
  const cell = createStateStore<ReconciledState>(
    {
      ...{ wants, isOver: false, noted: [], attention: [] },
      awaiting: { what: 'nothing', since: '' },
      records: RECORDED,
    },
    record,
    { now, ...NOTHING_SENT, scope: () => virtual.scope() },
  );
  const ends = new Map<string, ReturnType<typeof unanswered<string>>>();
  const note = (state: ReconciledState, noted: string): ReconciledState => ({
    ...state,
    noted: [...state.noted, noted],
  });
  const going = ({ name }: Step): Promise<string> => {
    const end = unanswered<string>();
    ends.set(name, end);
    return end.answer;
  };
  const ruleOf = (
    lane: Lane,
    awaiting: AwaitingWhat,
    isUninterruptible = false,
  ): StepRule<ReconciledState, Step> => ({
    lane,
    awaiting,
    begin: (state, { step }) => note(state, `${step.name} begins`),
    run: going,
    done: (state, outcome, { step }) => note(state, `${step.name} is ${String(outcome)}`),
    failed: (state, { code }, { step }) => note(state, `${step.name} fails: ${code}`),
    ...(isUninterruptible && { uninterruptible: true as const }),
  });
  const story: EntityDefinition<ReconciledState, Step> = {
    rules: {
      read: ruleOf('learn', 'look-up'),
      watch: { ...ruleOf('learn', 'settlement'), notifiedWithinMs: NOTIFIED_WITHIN_MS },
      send: ruleOf('command', 'provider-acceptance', true),
      sleep: ruleOf('clock', 'nothing'),
      wait: { lane: 'learn', awaiting: 'operator' },
      answer: { lane: 'answer', awaiting: 'nothing', run: going },
    },
    desiredSteps: ({ wants, awaiting }) =>
      wants.filter(({ name }) => name !== REPORT.name || awaiting.what === 'operator'),
    isOver: (state) => state.isOver,
    record,
    publish: () => ({ attributes: [], removed: [], details: '' }),
  };
  const virtual = createVirtualRuntime(
    {
      now,
      after: (ms, run) => {
        agenda.after(ms, run);
      },
    },
    {},
  );
  const handlers = { areFinished: true };
  const published: Publishing[] = [];
  const runtime: Runtime = {
    ...virtual,
    areHandlersFinished: () => handlers.areFinished,
    publish: (_published, to) => void published.push(to),
  };
  const left: string[] = [];
  const followed = reconcile(story, cell, runtime).then(
    ({ outcome }) => {
      virtual.end();
      left.push(outcome);
    },
    (error: unknown) => void left.push(String(error)),
  );
  const change = async (by: Partial<ReconciledState>): Promise<void> => {
    cell.update((state) => ({ ...state, ...by }));
    await virtual.settle();
  };
  const doorOf = (name: string) => {
    const end = ends.get(name);
    if (end === undefined) throw new Error(`expected ${name} to be in progress`);
    return end;
  };
  return {
    noted: () => cell.read().noted,
    begun: () => [...ends.keys()],
    awaited: () => cell.read().awaiting.what,
    left,
    published,
    followed,
    handlers,
    change,
    want: (...steps: Step[]) => change({ wants: steps }),
    settle: () => virtual.settle(),
    pass: async (ms: number) => {
      await virtual.settle();
      await agenda.pass(ms);
      await virtual.settle();
    },
    end: async (name: string) => {
      doorOf(name).open('done');
      await virtual.settle();
    },
    fail: async (name: string, error: Error) => {
      doorOf(name).fail(error);
      await virtual.settle();
    },
    growLong: (): void => {
      virtual.growLong();
    },
    handOver: async () => {
      virtual.growLong();
      await change({});
    },
  };
}
