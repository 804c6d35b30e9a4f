import { expect, test } from 'vitest';
import {
  changeOfFact,
  newRecording,
  nextBatch,
  recordChanges,
  type RecordDefinition,
  type Recording,
} from '../../../workflows/engine/recording.js';
import { attentionChanges, factChanges, stateChange } from '../../../workflows/engine/changes.js';
import type { Attention } from '../../../domain/attention/flags.js';
import type { KeyRegister } from '../../../domain/commands/key-use.js';
import type { Fact } from '../../../domain/facts/fact.js';

const NOW = '2026-11-01T02:03:04.000Z';
interface RecordedState extends KeyRegister {
  state: string;
  facts: Fact[];
  attention: Attention[];
}
const DEFINITION: RecordDefinition<RecordedState> = {
  resource: 'payment',
  idsOf: () => ({ uid: 'pay-1', connectionId: 'acme' }),
  viewOf: ({ state }) => ({ state }),
  factsOf: ({ facts }) => facts,
  changes: (before, after) => [
    ...factChanges(before?.facts, after.facts),
    ...stateChange(before?.state, after.state, {}),
    ...attentionChanges(before?.attention, after.attention),
  ],
};
const FACT: Fact = {
  ...{
    id: 'event-1',
    type: 'settled',
    publishedAt: NOW,
    receivedAt: NOW,
    source: 'webhook',
    authenticated: true,
  },
};
const REQUESTED: RecordedState = { state: 'requested', facts: [], attention: [] };

function noted(...states: RecordedState[]): Recording {
  let records = newRecording('run-1');
  states.forEach((after, index) => {
    records = recordChanges(DEFINITION, records, { before: states[index - 1], after }, NOW);
  });
  return records;
}

test('each event of one task keeps the view of its own state, and the last one that of the row', () => {
  const pending = { ...REQUESTED, state: 'pending' };
  const { waiting, events } = noted(REQUESTED, pending, { ...pending, state: 'settled', facts: [FACT] });
  expect(events).toBe(3);
  expect(waiting.flatMap(({ name, event }) => (event ? [[name, event]] : []))).toEqual([
    ['requested', { number: 1, view: { state: 'requested' } }],
    ['pending', { number: 2, view: { state: 'pending' } }],
    ['settled', { number: 3, cause: { source: 'webhook', type: 'settled', factId: 'event-1' } }],
  ]);
});

test('a change that is no event gives no view, and the count survives a batch', () => {
  const records = noted(REQUESTED, { ...REQUESTED, facts: [FACT] });
  expect(records.waiting.map(({ event }) => event)).toEqual([{ number: 1 }, undefined]);
  const context = { now: NOW, runId: 'run-1', taskFollows: 0, atMost: Infinity, view: {}, hash: 'a' };
  expect(nextBatch(DEFINITION, REQUESTED, records, context).stored.events).toBe(1);
});

test('a command names its principal', () => {
  const command: Fact = { ...FACT, id: 'c', type: 'requested', source: 'command', detail: { by: 'backend' } };
  expect(changeOfFact(command).kind).toBe('command');
  const { waiting } = noted(REQUESTED, { ...REQUESTED, state: 'withdrawn', facts: [command] });
  const cause = { source: 'command', type: 'requested', factId: 'c', by: 'backend' };
  expect(waiting.at(-1)?.event).toEqual({ number: 2, cause });
});
