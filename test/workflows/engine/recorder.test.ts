import { expect, test } from 'vitest';
import { createRecorder, type Recorder } from '../../../workflows/engine/recorder.js';
import { aFact } from '../../support/facts.js';
import { unanswered } from '../../support/workflows/virtual.js';
import type { KeyRegister, KeyUse } from '../../../domain/commands/key-use.js';
import type { RecordBatch, RecordOutcome } from '../../../domain/records/batch.js';
import type { RecordDefinition, Recording } from '../../../workflows/engine/recording.js';

interface RecordedState extends KeyRegister {
  n: number;
}

const DEFINITION: RecordDefinition<RecordedState> = {
  resource: 'payment',
  idsOf: () => ({ uid: 'p' }),
  viewOf: ({ n }) => ({ n }),
  changes: (_, { n }) => [{ kind: 'state', name: `s${n}`, data: {} }],
  factsOf: () => [aFact('settled')],
};

function aRun(carried?: Recording) {
  const sent: RecordBatch[] = [];
  const given: { batch: RecordBatch; answer: (outcome: RecordOutcome) => Promise<void> }[] = [];
  let state: RecordedState = { n: 0 };
  let task = 0;
  const recorder: Recorder<RecordedState> = createRecorder(
    DEFINITION,
    {
      now: () => new Date(Date.UTC(2026, 10, 1) + task).toISOString(),
      runId: () => 'run',
      firstRunId: () => 'run',
      taskNumber: () => task,
      send: (batch) => void sent.push(batch),
      call: () => ({
        record: (batch) => {
          const { answer, open } = unanswered<RecordOutcome>();
          given.push({
            batch,
            answer: async (outcome) => {
              open(outcome);
              await new Promise((resolve) => setImmediate(resolve));
            },
          });
          return answer;
        },
      }),
      read: () => state,
      onStored: () => undefined,
    },
    carried,
  );
  const change = (over: KeyRegister = {}): void => {
    const before = state;
    state = { ...state, ...over, n: state.n + 1 };
    recorder.note(before, state);
    recorder.send();
    recorder.store();
  };
  return {
    recorder,
    sent,
    given,
    change,
    inTask: (...changes: (() => void)[]) => {
      task += 1;
      for (const one of changes) one();
    },
  };
}

const namesIn = (batch: RecordBatch | undefined): string[] | undefined =>
  batch?.entries.map(({ name }) => name);
const versionOf = (batch: RecordBatch | undefined): number => batch?.row.version ?? NaN;

test('the batches of a task are sent at once and form a chain', () => {
  const { sent, given, change, inTask, recorder } = aRun();
  inTask(change, change);
  inTask(change);
  expect(sent.map(namesIn)).toEqual([['s1'], ['s2'], ['s3']]);
  expect(sent.map(({ follows }) => follows)).toEqual([0, versionOf(sent[0]), versionOf(sent[1])]);
  expect(sent.map(({ taskFollows }) => taskFollows)).toEqual([0, 0, versionOf(sent[1])]);
  expect(given).toEqual([]);
  expect(recorder.isRecorded()).toBe(true);
});

test('what the worker could not store waits again, and an activity stores it with what came since', async () => {
  const { sent, given, change, inTask, recorder } = aRun();
  inTask(change, change);
  inTask(() => recorder.recordsAway(versionOf(sent[0])), change, change);
  expect(recorder.isRecorded()).toBe(false);
  expect(given.map(({ batch }) => [namesIn(batch), batch.follows])).toEqual([
    [['s2', 's3'], versionOf(sent[0])],
  ]);
  await given[0]?.answer({ newest: versionOf(given[0].batch) });
  expect(recorder.isRecorded()).toBe(true);
  inTask(change);
  expect(namesIn(sent[2])).toEqual(['s4', 's5']);
  expect(sent[2]?.follows).toBe(versionOf(given[0]?.batch));
});

test.each([
  ['the first batch last', [1, 0]],
  ['the first batch first', [0, 1]],
  ['the last batch only, twice', [1, 1]],
])('signals about %s take back what the worker could not store', (_, order) => {
  const { sent, given, change, inTask, recorder } = aRun();
  inTask(change);
  inTask(change, change);
  // Each batch that is not stored names the batch before it.
  const signals = order.map((index) => () => recorder.recordsAway(sent[index + 1]?.follows ?? NaN));
  inTask(...signals, change);
  const lost = Math.min(...order) === 0 ? ['s2', 's3'] : ['s3'];
  expect(namesIn(given[0]?.batch)).toEqual([...lost, 's4']);
  expect(given[0]?.batch.follows).toBe(sent[Math.min(...order) + 1]?.follows);
});

test('a key that the state drops goes with the next batch, and waits with it while the records are away', async () => {
  const { sent, given, change, inTask, recorder } = aRun();
  const [first, second, third, fourth] = ['k-1', 'k-2', 'k-3', 'k-4'].map((key) => ({
    key,
    uid: 'p',
    body: 'b',
  })) as [...[KeyUse, KeyUse, KeyUse, KeyUse]];
  inTask(() => change({ uses: [first, second, third] }));
  inTask(() => change({ uses: [second, third], usesOlder: 1 }));
  expect(sent.map(({ keys }) => keys)).toEqual([undefined, [first]]);
  inTask(
    () => recorder.recordsAway(versionOf(sent[0])),
    () => change({ uses: [third, fourth], usesOlder: 2 }),
  );
  expect(given[0]?.batch.keys).toEqual([first, second]);
  inTask(() => change({ uses: [fourth], usesOlder: 3 }));
  expect(recorder.recording().keys).toEqual([first, second, third]);
  await given[0]?.answer({ newest: versionOf(given[0].batch) });
  inTask(change);
  expect(sent[2]?.keys).toEqual([third]);
  expect(recorder.recording().keys).toBeUndefined();
});

test('a signal of an earlier task takes nothing back, because a later task has begun', () => {
  const { given, sent, change, inTask, recorder } = aRun();
  inTask(change);
  inTask(change);
  inTask(change);
  inTask(() => recorder.recordsAway(0), change);
  expect(namesIn(given[0]?.batch)).toEqual(['s3', 's4']);
  expect(given[0]?.batch.follows).toBe(versionOf(sent[1]));
});

test('if the records have another newest batch, the next one follows it and holds every fact', async () => {
  const { given, change, inTask, recorder } = aRun();
  inTask(() => recorder.recordsAway(0), change);
  const newest = versionOf(given[0]?.batch) + 5;
  await given[0]?.answer({ newest });
  inTask(change);
  expect(given[1]?.batch.follows).toBe(newest);
  expect(versionOf(given[1]?.batch)).toBeGreaterThan(newest);
  expect(namesIn(given[1]?.batch)?.toSorted()).toEqual(['s1', 's2', 'settled']);
  await given[1]?.answer({ newest: versionOf(given[1].batch) });
  expect(recorder.recording()).toMatchObject({ waiting: [], follows: versionOf(given[1]?.batch) });
  expect(recorder.recording().isWhole).toBeUndefined();
});

test('data that the database refuses wait for the next change', async () => {
  const { given, change, inTask, recorder } = aRun();
  inTask(() => recorder.recordsAway(0), change);
  await given[0]?.answer({ refused: '22P05' });
  inTask(() => recorder.store());
  expect(given.length).toBe(1);
  expect(recorder.recording()).toMatchObject({ refused: '22P05', isAway: true });
  inTask(change);
  await given[1]?.answer({ newest: versionOf(given[1].batch) });
  expect(recorder.recording().refused).toBeUndefined();
  expect(recorder.isRecorded()).toBe(true);
});

test('a later run carries what waits', () => {
  const before = aRun();
  before.inTask(() => before.recorder.recordsAway(0), before.change);
  const carried = JSON.parse(JSON.stringify(before.recorder.recording())) as Recording;
  const { given, change, inTask } = aRun(carried);
  inTask(change);
  expect(namesIn(given[0]?.batch)).toEqual(['s1', 's1']);
});
