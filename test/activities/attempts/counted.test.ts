import { noopMetricMeter, type MetricMeter, type MetricTags } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { countAudited, countState } from '../../../activities/attempts/counted.js';
import { aFact } from '../../support/facts.js';

async function counted(work: () => void): Promise<unknown[]> {
  const met: unknown[] = [];
  const metricMeter: MetricMeter = Object.assign(Object.create(noopMetricMeter) as MetricMeter, {
    createCounter: (name: string) => ({
      add: (_by: number, tags?: MetricTags) => void met.push([name, tags?.['resource']]),
    }),
  });
  await new MockActivityEnvironment({}, { metricMeter }).run(() => Promise.resolve(work()));
  return met;
}

test('only states unknown to this release are counted', async () => {
  const met = await counted(() => {
    countState('agreement', 'active');
    countState('agreement', 'hibernating');
    countState('payment', 'settled');
    countState('payment', 'active');
  });
  expect(met).toEqual([
    ['payto_states_unknown', 'agreement'],
    ['payto_states_unknown', 'payment'],
  ]);
});

test('audited events are counted, and counted separately if their type is unknown', async () => {
  const met = await counted(() => {
    countAudited({ resource: 'agreement', resourceType: 'x', uid: 'u', fact: aFact('activated') });
    countAudited({ resource: 'payment', resourceType: 'x', uid: 'u', fact: aFact('reticulated') });
    countAudited({ resource: 'other', resourceType: 'x', fact: aFact('received') });
  });
  expect(met).toEqual([
    ['payto_audit_events_accepted', 'agreement'],
    ['payto_audit_events_accepted', 'payment'],
    ['payto_audit_events_unknown', 'payment'],
    ['payto_audit_events_accepted', 'other'],
  ]);
});
