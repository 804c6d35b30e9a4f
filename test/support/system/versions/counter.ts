import {
  ParentClosePolicy,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  startChild,
} from '@temporalio/workflow';
import { updateState, type Handlers } from '../../../../workflows/engine/handlers.js';
import { published } from '../../../../workflows/engine/publish.js';
import { runEntity } from '../../../../workflows/on-temporal/entity.js';
import { continueOnCurrentRelease } from '../../../../workflows/on-temporal/run.js';
import { carrying, type Carried, type Upgrade } from '../../../../workflows/contracts/upgrade.js';
import { nothingRecorded } from '../../nothing-recorded.js';
import type { Instant } from '../../../../domain/facts/fact.js';
import type { Awaited, EntityDefinition } from '../../../../workflows/engine/reconcile.js';

interface CounterState extends Awaited {
  count: number;
  signals?: number;
  isOver: boolean;
}
export interface View extends Pick<CounterState, 'count' | 'signals'> {
  release: string;
}
export interface CounterInput {
  carried?: Carried<CounterState>;
  child?: string;
}
type Step = { do: 'rest' } | { do: 'look_up' };

export const add = defineSignal<[number]>('add');
export const end = defineSignal('end');
export const addNow = defineUpdate<string, [number]>('addNow');
export const view = defineQuery<View>('view');

const { act } = proxyActivities<{ act(): Promise<string> }>({ startToCloseTimeout: '1 minute' });

const THOUSAND_DAYS_MS = 1000 * 86_400_000;

const COUNTER: EntityDefinition<CounterState, Step> = {
  rules: {
    rest: {
      lane: 'clock',
      awaiting: 'nothing',
      run: (_step, _read, { sleep }) => sleep(THOUSAND_DAYS_MS, 'Wait until the count is due'),
      done: (state) => ({ ...state, isOver: true }),
    },
    look_up: {
      lane: 'learn',
      awaiting: 'nothing',
      run: (_step, _read, { call }) => call.lookUpAgreement({ uid: 'counter', connectionId: 'acme' }),
    },
  },
  desiredSteps: ({ isOver }) => (isOver ? [] : [{ do: 'rest' }, { do: 'look_up' }]),
  isOver: ({ isOver }) => isOver,
  record: nothingRecorded(),
  publish: ({ awaiting }) => published({ title: 'Counter', awaiting, attention: [], notes: [], own: [] }),
};

const messages = { add, end, addNow, view };

const handlersOf = (viewOf: (state: CounterState) => View): Handlers<CounterState, typeof messages> => ({
  add: updateState(counted),
  end: updateState((state) => ({ ...state, isOver: true })),
  addNow: {
    validate: (_state, by) => {
      if (by < 0) throw new Error('expected a number above 0');
    },
    handle: ({ update }, _runtime, by) => {
      update((state) => counted(state, by));
      return act();
    },
  },
  view: { read: viewOf },
});

export function counterOf(release: string, upgrades: readonly Upgrade[]) {
  const { carry, upgrade } = carrying(upgrades);
  const viewOf = ({ count, signals }: CounterState): View => ({
    count,
    ...(signals !== undefined && { signals }),
    release,
  });
  return async function counter({ carried, child }: CounterInput): Promise<View> {
    const begin = (now: Instant): Carried<CounterState> => ({
      shape: 0,
      state: { count: 0, isOver: false, attention: [], awaiting: { what: 'nothing', since: now } },
    });
    const started =
      child === undefined || carried !== undefined
        ? undefined
        : startChild('counter', {
            workflowId: child,
            args: [{}],
            parentClosePolicy: ParentClosePolicy.ABANDON,
          });
    const { outcome, state } = await runEntity({
      definition: COUNTER,
      messages,
      handlers: handlersOf(viewOf),
      begin: (now) => upgrade(carried ?? begin(now)),
    });
    await started;
    if (outcome === 'continue') return continueOnCurrentRelease<typeof counter>({ carried: carry(state) });
    return viewOf(state);
  };
}

const counted = (state: CounterState, by: number): CounterState => ({
  ...state,
  count: state.count + by,
  ...(state.signals !== undefined && { signals: state.signals + 1 }),
});
