import { expect, test } from 'vitest';
import { z } from 'zod';
import { CALL_OPTIONS } from '../../workflows/on-temporal/call-options.js';
import * as workflows from '../../workflows/index.js';
import { ofToday, runsOf, namesOf, versions } from './histories.js';

const Named = z.object({ name: z.string() });
const History = z.object({
  events: z.array(
    z.object({
      workflowExecutionStartedEventAttributes: z.object({ workflowType: Named }).optional(),
      activityTaskScheduledEventAttributes: z.object({ activityType: Named }).optional(),
      markerRecordedEventAttributes: z
        .object({
          details: z.object({ data: z.object({ payloads: z.array(z.object({ data: z.base64() })) }) }),
        })
        .optional(),
    }),
  ),
});

const version = ofToday(versions());
if (version === undefined) throw new Error('expected recorded histories; run npm run record:histories');
const events = namesOf(version)
  .flatMap((script) => runsOf(version, script))
  .flatMap(({ history }) => History.parse(history).events);
const lived = new Set(
  events.map((event) => event.workflowExecutionStartedEventAttributes?.workflowType.name),
);
const LocalActivity = z.object({ activity_type: z.string() });
const called = new Set(
  events.flatMap(
    ({ activityTaskScheduledEventAttributes: scheduled, markerRecordedEventAttributes: marker }) => [
      ...(scheduled === undefined ? [] : [scheduled.activityType.name]),
      ...(marker?.details.data.payloads ?? []).map(
        ({ data }) => LocalActivity.parse(JSON.parse(Buffer.from(data, 'base64').toString())).activity_type,
      ),
    ],
  ),
);

test('the recorded histories cover every workflow', () => {
  expect(Object.keys(workflows).filter((name) => !lived.has(name))).toEqual([]);
});

test('the recorded histories cover every activity', () => {
  expect(Object.keys(CALL_OPTIONS).filter((name) => !called.has(name))).toEqual([]);
});
