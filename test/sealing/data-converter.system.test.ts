import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { ApplicationFailure, activityInfo, heartbeat } from '@temporalio/activity';
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Worker, bundleWorkflowCode } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  FAILURE_CONVERTER_PATH,
  dataConverterFor,
  type PayloadCodecOptions,
} from '../../sealing/data-converter.js';
import { eventually, quietly } from '../support/temporal.js';
import { codecOf, keyringOf, payloadOf } from '../support/sealing/payloads.js';
import {
  command,
  planted,
  plantedChild,
  deliver,
  type PlantedActivities,
} from '../support/sealing/planted-workflow.js';
import { lettersOf, openedLettersOf, rawRunsOf } from '../support/sealing/raw.js';

const namespace = 'default';
const codec = codecOf();
const converter = (clearPayloads: PayloadCodecOptions['clearPayloads'] = 'refuse') =>
  dataConverterFor({ keyring: keyringOf('k1'), namespace, clearPayloads });
const taskQueue = `sealed-${randomUUID()}`;

function PLANTED_in_the_stack(): never {
  const parts = { details: ['PLANTED-activity-detail'], cause: new Error('PLANTED-activity-cause') };
  throw ApplicationFailure.create({ message: 'PLANTED-activity-failure', nonRetryable: true, ...parts });
}
const activities: PlantedActivities = {
  echo: () => Promise.resolve('PLANTED-activity-result'),
  echoLocally: () => Promise.resolve('PLANTED-local-result'),
  heartbeat: () => {
    heartbeat('PLANTED-heartbeat');
    const [message, nextRetryDelay] = ['PLANTED-attempt', '3 seconds'] as const;
    return activityInfo().attempt > 1
      ? Promise.resolve()
      : Promise.reject(ApplicationFailure.create({ message, nextRetryDelay }));
  },
  refuse: () => Promise.resolve().then(PLANTED_in_the_stack),
};

let native: NativeConnection;
let connection: Connection;
let workflowBundle: { code: string };
let sealed: Client;
let stranger: Client;
beforeAll(async () => {
  quietly();
  const address = inject('temporalAddress');
  native = await NativeConnection.connect({ address });
  connection = await Connection.connect({ address });
  sealed = new Client({ connection, namespace, dataConverter: converter() });
  stranger = new Client({ connection, namespace });
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../support/sealing/planted-workflow.ts', import.meta.url)),
    failureConverterPath: FAILURE_CONVERTER_PATH,
    logger: new DefaultLogger('WARN'),
  });
});
afterAll(async () => {
  await connection.close();
  await native.close();
});

async function run<T>(dataConverter: ReturnType<typeof converter>, work: () => Promise<T>): Promise<T> {
  const options = { connection: native, namespace, taskQueue, workflowBundle, activities, dataConverter };
  return (await Worker.create(options)).runUntil(work);
}

const RUNS = 4;

const PLANTED = [
  'argument',
  'memo',
  'static-summary',
  'static-details',
  'signal',
  'update-argument',
  'update-result',
  'update-refusal',
  'query-result',
  'current-details',
  'activity-argument',
  'activity-result',
  'activity-summary',
  'local-result',
  'heartbeat',
  'attempt',
  'activity-failure',
  'activity-detail',
  'activity-cause',
  'timer-summary',
  'upserted-memo',
  'child-argument',
  'child-memo',
  'child-result',
  'child-failure',
  'outgoing-signal',
  'continued-argument',
  'workflow-failure',
  'failure-detail',
  'failure-cause',
].map((way) => `PLANTED-${way}`);

describe('sealed payloads in Temporal', () => {
  test('reveal no data in clear and open with the key', async () => {
    const workflowId = `planted-${randomUUID()}`;
    const execution = { workflowId };
    const { workflowService } = stranger;
    const seen: unknown[] = [];
    await run(converter(), async () => {
      const handle = await sealed.workflow.start(planted, {
        taskQueue,
        workflowId,
        args: ['PLANTED-argument'],
        memo: { started: 'PLANTED-memo' },
        staticSummary: 'PLANTED-static-summary',
        staticDetails: 'PLANTED-static-details',
      });
      seen.push(
        await eventually(
          () => workflowService.describeWorkflowExecution({ namespace, execution }),
          ({ pendingActivities: [pending] }) => Boolean(pending?.lastFailure && pending.heartbeatDetails),
        ),
      );
      expect(await handle.executeUpdate(command, { args: ['PLANTED-update-argument'] })).toBe(
        'PLANTED-update-result',
      );
      const args = { payloads: await codec.encode([payloadOf('refused')]) };
      const request = { meta: { updateId: randomUUID() }, input: { name: 'command', args } };
      const waitPolicy = { lifecycleStage: 3 };
      seen.push(
        await workflowService.updateWorkflowExecution({
          namespace,
          workflowExecution: execution,
          request,
          waitPolicy,
        }),
      );
      for (const queryType of ['ask', '__temporal_workflow_metadata', '__stack_trace']) {
        seen.push(await workflowService.queryWorkflow({ namespace, execution, query: { queryType } }));
      }
      await handle.signal(deliver, 'PLANTED-signal');
      const failed = await handle.result().catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(WorkflowFailedError);
      expect(failed).toMatchObject({
        cause: {
          message: 'PLANTED-workflow-failure',
          details: ['PLANTED-failure-detail'],
          cause: { message: 'PLANTED-failure-cause' },
        },
      });
    });
    seen.push(await rawRunsOf(stranger, workflowId, RUNS));
    expect(lettersOf(seen)).not.toContain('PLANTED');
    const opened = await openedLettersOf(seen, codec);
    expect(PLANTED.filter((said) => !opened.includes(said))).toEqual([]);
    expect(opened).toContain('PLANTED_in_the_stack');
  });
});

describe('payload in clear from another client', () => {
  async function whyStuck(workflowId: string): Promise<string> {
    const { events } = await eventually(
      () => stranger.workflow.getHandle(workflowId).fetchHistory(),
      ({ events: all }) => Boolean(all?.some((event) => event.workflowTaskFailedEventAttributes)),
    );
    const failures = (events ?? []).flatMap(
      (event) => event.workflowTaskFailedEventAttributes?.failure ?? [],
    );
    expect(lettersOf(failures)).not.toMatch(/in clear|CLEAR/);
    return openedLettersOf(failures, codec);
  }

  test('starts nothing, is explained to operators and blocks no other workflow', async () => {
    const workflowId = `clear-${randomUUID()}`;
    await run(converter(), async () => {
      const started = await stranger.workflow.start(plantedChild, { taskQueue, workflowId, args: ['CLEAR'] });
      const why = await whyStuck(workflowId);
      expect(why).toMatch(/found one in clear.*docs\/custody\.md/);
      expect(why).not.toContain('CLEAR');
      const other = await sealed.workflow.start(plantedChild, {
        taskQueue,
        workflowId: `other-${workflowId}`,
        args: ['x'],
      });
      await other.signal(deliver, 'go on');
      expect(await other.result()).toBe('PLANTED-child-result');
      await started.terminate();
    });
  });

  test('as a signal stops the run until clear payloads may be read', async () => {
    const workflowId = `deaf-${randomUUID()}`;
    const handle = await sealed.workflow.start(plantedChild, { taskQueue, workflowId, args: ['x'] });
    await run(converter(), async () => {
      await stranger.workflow.getHandle(workflowId).signal(deliver, 'CLEAR');
      await whyStuck(workflowId);
    });
    expect(await run(converter('read'), () => handle.result())).toBe('PLANTED-child-result');
  });
});
