import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createGateway } from '../../api/gateway/create.js';
import { createRecords } from '../../records/write.js';
import { recordSinks } from '../../worker/record-sink.js';
import {
  NOTIFICATION_WORKFLOW,
  acknowledge,
  getNotification,
  notificationWorkflowId,
} from '../../workflows/notification/contract.js';
import { aFact } from '../support/facts.js';
import { createWorker } from '../support/workers.js';
import { stored } from '../support/nothing-recorded.js';
import { opened } from '../support/database.js';
import { RECORDS_AWAY } from '../support/records-away.js';
import { KEYRING, SEALED, eventually, queried, useTemporal } from '../support/temporal.js';
import { unanswered } from '../support/workflows/virtual.js';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { RecordWriter } from '../../domain/records/batch.js';

const temporal = useTemporal();
const READ = { by: 'ops', reason: 'read' };

async function aNotification({
  taskQueue = temporal.taskQueue,
  workflowTaskTimeout = '10s',
  about = {},
} = {}) {
  const workflowId = notificationWorkflowId(randomUUID());
  const args = [{ resourceType: 'Investigation', fact: aFact('investigations.message_received'), ...about }];
  return temporal.client.workflow.start(NOTIFICATION_WORKFLOW, {
    ...{ taskQueue, workflowId, args },
    workflowTaskTimeout: workflowTaskTimeout as '10s',
  });
}

describe('what Temporal promises of a sink', () => {
  test('the workflow task completes only after its sink, and a query calls none', async () => {
    let calls = 0;
    let slowMs = 0;
    const write: RecordWriter['write'] = async (batch) => {
      calls += 1;
      await delay(slowMs);
      return stored(batch);
    };
    await temporal.run({ write }, async () => {
      const run = await aNotification();
      await eventually(
        () => calls,
        (count) => count === 1,
      );
      slowMs = 1200;
      const before = performance.now();
      await run.executeUpdate(acknowledge, { args: [READ] });
      expect(performance.now() - before).toBeGreaterThan(slowMs);
      expect(await queried(run, getNotification)).toMatchObject({ state: 'acknowledged' });
      expect(calls).toBe(2);
      const { events = [] } = await run.fetchHistory();
      expect(events?.some(({ markerRecordedEventAttributes: marker }) => marker)).toBe(false);
    });
  });

  test('a run does not end while its last batch is not stored, and the API repeats the update that would end it', async () => {
    const names: string[] = [];
    let isAway = false;
    const write: RecordWriter['write'] = async (batch) => {
      if (isAway) throw new Error('away');
      names.push(...batch.entries.map(({ name }) => name));
      return stored(batch);
    };
    const back = unanswered<undefined>();
    const record: RecordWriter['write'] = async (batch) => {
      await back.answer;
      return write(batch);
    };
    await temporal.run({ write, record }, async () => {
      const run = await aNotification();
      await eventually(
        () => names.length,
        (count) => count > 0,
      );
      isAway = true;
      const { notifications } = createGateway(temporal.client, temporal.taskQueue, RECORDS_AWAY);
      const uid = run.workflowId.slice('notification/'.length);
      expect(await notifications.acknowledge(uid, READ)).toMatchObject({ state: 'acknowledged' });
      expect((await run.describe()).status.name).toBe('RUNNING');
      isAway = false;
      back.open(undefined);
      await run.result();
      expect(names.filter((name) => name === 'acknowledged').length).toBeGreaterThan(0);
    });
  });
});

const ACTIVITIES = {
  followIfThere: () => Promise.resolve(false),
  readRecord: () => Promise.resolve(undefined),
};

describe('a repeated workflow task', () => {
  async function aWorker(taskQueue: string, writer: RecordWriter, codec?: PayloadCodec) {
    const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
    const dataConverter = {
      ...SEALED,
      ...(codec && { payloadCodecs: [codec, ...(SEALED.payloadCodecs ?? [])] }),
    };
    const sinks = recordSinks(writer, temporal.client);
    const options = { connection, dataConverter, taskQueue };
    const worker = await createWorker(options, ACTIVITIES, temporal.client, { sinks });
    const running = worker.run();
    return async (): Promise<void> => {
      worker.shutdown();
      await running;
      await connection.close();
    };
  }

  const records = () => {
    const { db } = opened(inject('recordsUrl'));
    return {
      ...createRecords({ db, keyring: KEYRING }),
      storyOf: async (workflowId: string) => {
        const entries = db.selectFrom('entries').select(['kind', 'name', 'task_follows', 'sequence']);
        return entries.where('workflow_id', '=', workflowId).orderBy('position').execute();
      },
      versionOf: async (workflowId: string) => {
        const rows = db.selectFrom('notifications').select('version').where('workflow_id', '=', workflowId);
        return (await rows.executeTakeFirst())?.version;
      },
    };
  };

  async function expectOneStory(workflowId: string): Promise<void> {
    const { storyOf, versionOf } = records();
    const story = await storyOf(workflowId);
    const [view, ...others] = story.filter(({ kind }) => kind === 'view');
    expect(others).toEqual([]);
    expect(story.filter(({ kind }) => kind !== 'view').map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'fact investigations.message_received',
      'state open',
      'attention orphan',
      ...['command acknowledged', 'state acknowledged', 'attention orphan'],
    ]);
    expect([...new Set(story.map(({ task_follows: follows }) => follows))]).toEqual([0, view?.task_follows]);
    expect(await versionOf(workflowId)).toBe(view?.sequence);
  }

  /** What the task that records first sends: an earlier one reads the record of `pay-1`, without a fact. */
  const isInput = ({ data }: Payload): boolean =>
    ['pay-1', '"fact"'].every((part) => Buffer.from(data ?? []).includes(part));

  test('leaves one story after it failed between store and completion', async () => {
    const taskQueue = `failing-${randomUUID()}`;
    let left = 1;
    const failing: PayloadCodec = {
      decode: (payloads) => Promise.resolve(payloads),
      encode: (payloads) =>
        payloads.some(isInput) && (left -= 1) >= 0
          ? Promise.reject(new Error('no completion'))
          : Promise.resolve(payloads),
    };
    onTestFinished(await aWorker(taskQueue, records(), failing));
    const about = { about: { resource: 'payment', uid: 'pay-1' } };
    const run = await aNotification({ taskQueue, about });
    const isAcknowledged = () =>
      run.executeUpdate(acknowledge, { args: [READ] }).then(
        () => true,
        () => false,
      );
    // An update that arrives earlier would come with the repeated task.
    const events = async () => (await run.fetchHistory()).events ?? [];
    await eventually(events, (all) => {
      const failed = all.findIndex(({ workflowTaskFailedEventAttributes: one }) => one != null);
      const completed = all.findLastIndex(({ workflowTaskCompletedEventAttributes: one }) => one != null);
      return failed !== -1 && completed > failed;
    });
    await eventually(isAcknowledged, Boolean);
    await run.result();
    await expectOneStory(run.workflowId);
  });

  test.each(['before', 'after'])(
    'leaves one story if an earlier worker is stuck %s it stores',
    async (when) => {
      const taskQueue = `stuck-${randomUUID()}`;
      const { write, storyOf } = records();
      const release = unanswered<undefined>();
      let isStuck = false;
      const stopFirst = await aWorker(taskQueue, {
        write: async (batch) => {
          if (isStuck && when === 'before') await release.answer;
          const outcome = await write(batch);
          if (isStuck) await release.answer;
          return outcome;
        },
      });
      const run = await aNotification({ taskQueue, workflowTaskTimeout: '1s' });
      await eventually(
        () => storyOf(run.workflowId),
        ({ length }) => length > 0,
      );
      isStuck = true;
      const acknowledged = run.executeUpdate(acknowledge, { args: [READ] });
      await delay(300);
      const stopped = stopFirst();
      onTestFinished(await aWorker(taskQueue, { write }));
      await acknowledged;
      await run.result();
      release.open(undefined);
      await stopped;
      await expectOneStory(run.workflowId);
    },
  );
});
