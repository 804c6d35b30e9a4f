import { expect, test } from 'vitest';
import { createPayloadCodec } from '../../sealing/data-converter.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { eventually } from '../support/temporal.js';
import { lettersOf, openedLettersOf } from '../support/sealing/raw.js';
import { foundIn, newNoise, newWords, traitsOf } from '../support/system/planted/markers.js';
import { bringUpPlanted } from '../support/system/planted/stack.js';
import { liveThroughAll } from '../support/system/planted/story.js';
import type { Client } from '@temporalio/client';

const ALL_MS = 240_000;

async function answersOfTemporal({ workflowService, options: { namespace } }: Client): Promise<unknown[]> {
  const { executions } = await workflowService.listWorkflowExecutions({ namespace, query: '' });
  const { schedules } = await workflowService.listSchedules({ namespace });
  const answers: unknown[] = [executions, schedules];
  for (const { scheduleId } of schedules)
    answers.push(await workflowService.describeSchedule({ namespace, scheduleId: scheduleId ?? '' }));
  for (const { execution = null } of executions) {
    answers.push(await workflowService.describeWorkflowExecution({ namespace, execution }));
    answers.push(await workflowService.getWorkflowExecutionHistory({ namespace, execution }));
  }
  return answers;
}

test(
  'planted data is unreadable in Temporal, database, logs and metrics, and decryptable with the keys',
  async () => {
    const [words, noise] = [newWords(), newNoise()];
    const stack = await bringUpPlanted();
    const { secrets, stranger, door } = stack;
    const { uids, code } = await liveThroughAll(stack, words, noise);
    const isRecorded = (bytes: Buffer): boolean => uids.every((uid) => foundIn(bytes, { uid }).length > 0);
    await eventually(() => stack.records(), isRecorded);

    const tokens = Object.fromEntries(door.tokens.map((token, index) => [`token ${index}`, token]));
    const hidden = {
      ...tokens,
      code,
      apiKey: secrets.api_key,
      clientSecret: secrets.oauth_client_secret,
      webhookSecret: secrets.webhook_secret,
      encryptionKey: secrets.encryption_key.split(':')[1] ?? '',
    };
    const planted = { ...words, ...noise, ...hidden };
    expect(Object.keys(tokens)).toHaveLength(4);
    expect(Object.keys(planted).length).toBeGreaterThanOrEqual(40);
    await eventually(
      async () => [await stack.database(), await answersOfTemporal(stranger)] as const,
      ([, answers]) => uids.every((uid) => lettersOf(answers).includes(uid)),
    );

    const answers = await answersOfTemporal(stranger);
    const places = {
      temporal: Buffer.from(lettersOf(answers)),
      database: await stack.database(),
      records: await stack.records(),
      output: stack.output(),
      metrics: await stack.metrics(),
    };
    const hits = Object.entries(places).flatMap(([place, bytes]) =>
      foundIn(bytes, planted).map((name) => `${name} in ${place}`),
    );
    expect(hits).toEqual([]);

    for (const uid of uids) {
      expect(foundIn(places.temporal, { uid }), uid).toEqual(['uid']);
      expect(foundIn(places.database, { uid }), uid).toEqual(['uid']);
      expect(foundIn(places.records, { uid }), uid).toEqual(['uid']);
    }
    expect(places.output.toString()).toMatch(/"route":"\/v1\/agreements",.*"status":400/);
    expect(places.metrics.toString()).toMatch(
      /payto_webhook_events_accepted_total.*temporal_workflow_completed_total/s,
    );
    const keyring = parseKeyring(secrets.encryption_key);
    const opened = Buffer.from(
      await openedLettersOf(answers, createPayloadCodec({ keyring, namespace: 'default' })),
    );
    expect(foundIn(opened, words)).toEqual(Object.keys(words));
    expect(foundIn(opened, hidden)).toEqual([]);
  },
  ALL_MS,
);

test.each(['Zebedee O"Payer\\1', 'ünïcode', '200001-12340001', 'a'])(
  'the search finds %s in every encoding',
  (text) => {
    for (const before of ['', 'x', 'xy', 'xyz'])
      for (const behind of ['', 'x', 'xy']) {
        const whole = `${before}${text}${behind}`;
        const forms = [
          whole,
          JSON.stringify(whole),
          JSON.stringify(JSON.stringify(whole)),
          encodeURIComponent(whole),
          Buffer.from(whole).toString('hex'),
          ...(text.length > 3
            ? [Buffer.from(whole).toString('base64'), Buffer.from(whole).toString('base64url')]
            : []),
        ];
        for (const form of forms) expect(foundIn(Buffer.from(form), { text }), form).toEqual(['text']);
      }
    expect(foundIn(Buffer.from('somebody else'), { text: `${text}!` })).toEqual([]);
    expect(traitsOf(text).every((trait) => trait.length > 0 || text.length < 3)).toBe(true);
  },
);
