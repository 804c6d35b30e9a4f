import { describe, expect, test } from 'vitest';
import { CallFailed } from '../../../workflows/engine/runtime.js';
import {
  NOTIFIED_WITHIN_MS,
  REPORT,
  begin,
  read,
  send,
  sleep,
  wait,
  watch,
} from '../../support/workflows/reconciled.js';

describe('first workflow task', () => {
  test('always writes attributes if no step leaves an event, unlike later tasks', async () => {
    const idle = begin(wait('news'));
    await idle.want(read('r'));
    await idle.want(wait('news'));
    expect(idle.published[0]).toBe('anyway');
    expect(new Set(idle.published.slice(1))).toEqual(new Set(['news']));
    const busy = begin(wait('news'), read('r'));
    await busy.settle();
    expect(new Set(busy.published)).toEqual(new Set(['news']));
  });
});

test('a report of what is awaited starts at once', async () => {
  const one = begin(read('r'), REPORT);
  await one.want(wait('a person'), REPORT);
  expect(one.begun()).toEqual(['r', 'report']);
});

const refused = new CallFailed({ code: 'rejected', providerCodes: [] });

describe('step in its lane', () => {
  test('runs beside steps of other lanes and the first desired step is awaited', async () => {
    const story = begin(read('r'), send('s'), sleep('z'));
    await story.settle();
    expect(story.begun()).toEqual(['r', 's', 'z']);
    expect(story.awaited()).toBe('look-up');
    await story.end('z');
    expect(story.noted()).toEqual(['r begins', 's begins', 'z begins', 'z is done', 'z begins']);
    expect(story.left).toEqual([]);
  });

  test('continues through other changes while it is desired', async () => {
    const story = begin(read('r'));
    await story.want(read('r'), sleep('z'));
    await story.change({});
    expect(story.noted()).toEqual(['r begins', 'z begins']);
  });

  test('starts again if it has ended and is still desired', async () => {
    const story = begin(read('r'));
    await story.settle();
    await story.end('r');
    expect(story.noted()).toEqual(['r begins', 'r is done', 'r begins']);
  });

  test('is cancelled and replaced at once if no longer desired and its result is dropped', async () => {
    const story = begin(read('r'), sleep('z'));
    await story.settle();
    await story.want(read('r2'), sleep('z'));
    expect(story.begun()).toEqual(['r', 'z', 'r2']);
    await story.end('r');
    await story.end('r2');
    expect(story.noted()).toEqual(['r begins', 'z begins', 'r2 begins', 'r2 is done', 'r2 begins']);
  });

  test('cancels the previous step and leaves its lane idle if it only waits', async () => {
    const story = begin(read('r'));
    await story.settle();
    await story.want(wait('news'));
    await story.fail('r', refused);
    expect(story.noted()).toEqual(['r begins']);
    expect(story.begun()).toEqual(['r']);
    expect(story.awaited()).toBe('operator');
  });

  test('passes a permanent failure to its rule and an unexpected error to the run', async () => {
    const story = begin(read('r'), sleep('z'));
    await story.settle();
    await story.fail('r', refused);
    expect(story.noted()).toContain('r fails: rejected');
    await story.fail('z', new Error('a fault'));
    expect(story.left).toEqual(['Error: a fault']);
    const unruled = begin({ do: 'answer', name: 't' });
    await unruled.settle();
    await unruled.fail('t', refused);
    expect([unruled.left, unruled.begun()]).toEqual([['CallFailed: call failed: rejected'], ['t']]);
  });
});

describe('step that an event mostly ends soon', () => {
  test('publishes only flags and starts no clock until its pause has ended', async () => {
    const story = begin(watch('w'), sleep('z'), send('s'));
    await story.pass(NOTIFIED_WITHIN_MS - 1);
    expect([story.begun(), new Set(story.published)]).toEqual([['s'], new Set(['flags'])]);
    await story.pass(1);
    expect(story.begun()).toEqual(['s', 'w', 'z']);
    expect(story.published.at(-1)).toBe('news');
  });

  test('leaves nothing behind if the event comes in time', async () => {
    const story = begin(watch('w'), sleep('z'));
    await story.settle();
    await story.want(wait('news'));
    await story.pass(NOTIFIED_WITHIN_MS);
    expect([story.begun(), story.published.at(-1)]).toEqual([[], 'news']);
  });

  test('begins anew after another change, and keeps a clock that runs', async () => {
    const story = begin(read('r'), sleep('z'));
    await story.settle();
    await story.want(watch('w'), sleep('z'));
    await story.pass(NOTIFIED_WITHIN_MS - 1);
    await story.want(watch('w2'), sleep('z'));
    await story.pass(NOTIFIED_WITHIN_MS - 1);
    expect([story.begun(), story.published.at(-1)]).toEqual([['r', 'z'], 'flags']);
    await story.pass(1);
    expect(story.begun()).toEqual(['r', 'z', 'w2']);
  });
});

describe('uninterruptible step', () => {
  test('delays only the next step of its own lane if no longer desired', async () => {
    const story = begin(send('s'));
    await story.settle();
    await story.want(send('s2'), read('r'));
    expect(story.begun()).toEqual(['s', 'r']);
    await story.end('s');
    expect(story.begun()).toEqual(['s', 'r', 's2']);
    expect(story.noted()).not.toContain('s is done');
  });

  test('ends before it starts again if it was temporarily not desired', async () => {
    const story = begin(send('s'));
    await story.settle();
    await story.want();
    await story.want(send('s'));
    expect(story.noted()).toEqual(['s begins']);
    await story.fail('s', refused);
    expect(story.noted()).toEqual(['s begins', 's begins']);
  });
});

describe('continue-as-new', () => {
  test('waits for an event in the history, because a refused update writes none', async () => {
    const story = begin(read('r'));
    await story.settle();
    story.growLong();
    await story.settle();
    expect(story.left).toEqual([]);
    await story.end('r');
    expect(story.left).toEqual(['continue']);
  });

  test('happens at once if only interruptible steps are in progress', async () => {
    const story = begin(read('r'), sleep('z'));
    await story.settle();
    await story.handOver();
    expect(story.left).toEqual(['continue']);
    await story.end('r');
    expect(story.noted()).not.toContain('r is done');
  });

  test('waits for an uninterruptible step and starts nothing else', async () => {
    const story = begin(send('s'), read('r'));
    await story.settle();
    await story.handOver();
    expect(story.left).toEqual([]);
    await story.want(read('r2'));
    expect(story.left).toEqual([]);
    await story.end('s');
    expect(story.left).toEqual(['continue']);
  });

  test('applies the result of an uninterruptible step first', async () => {
    const story = begin(send('s'));
    await story.settle();
    await story.handOver();
    await story.end('s');
    expect(story.noted()).toEqual(['s begins', 's is done']);
    expect(story.left).toEqual(['continue']);
  });

  test('waits for callers without an answer and starts no new steps', async () => {
    const story = begin(read('r'));
    await story.settle();
    story.handlers.areFinished = false;
    await story.handOver();
    await story.want(send('s'));
    expect(story.begun()).toEqual(['r']);
    expect(story.left).toEqual([]);
    story.handlers.areFinished = true;
    await story.settle();
    expect(story.left).toEqual(['continue']);
  });
});

describe('end of a workflow', () => {
  test('waits only until every caller has an answer', async () => {
    const story = begin(send('s'), read('r'));
    await story.settle();
    story.handlers.areFinished = false;
    await story.change({ isOver: true });
    expect(story.left).toEqual([]);
    story.handlers.areFinished = true;
    await story.settle();
    expect(story.left).toEqual(['over']);
  });

  test('does not happen if the workflow reopens before it completes', async () => {
    const story = begin(wait('news'));
    story.handlers.areFinished = false;
    await story.change({ isOver: true });
    await story.change({ isOver: false, wants: [read('r')] });
    expect(story.begun()).toEqual(['r']);
    expect(story.left).toEqual([]);
  });
});
