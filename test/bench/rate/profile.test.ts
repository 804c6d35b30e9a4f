import { expect, test } from 'vitest';
import { mostExpensive } from '../../../bench/rate/profile.js';

const node = (id: number, functionName: string, url = '') => ({
  id,
  callFrame: { functionName, url, lineNumber: 9 },
});

test('self times of one function add up over its call sites and threads; idle time does not count', () => {
  const main = {
    nodes: [
      node(1, '(idle)'),
      node(2, 'seal', 'file:///p/a.js'),
      node(3, 'seal', 'file:///p/a.js'),
      node(4, ''),
    ],
    samples: [1, 2, 3, 4],
    timeDeltas: [50_000, 2000, 1000, 1000],
  };
  const thread = { nodes: [node(7, 'seal', 'file:///p/a.js')], samples: [7], timeDeltas: [4000] };
  expect(mostExpensive([main, thread], 1)).toEqual([{ what: 'seal /p/a.js:10', ms: 7, share: 0.875 }]);
});
