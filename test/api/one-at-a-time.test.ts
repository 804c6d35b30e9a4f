import { describe, expect, test } from 'vitest';
import { oneAtATime } from '../../api/one-at-a-time.js';

/** A source whose answers come when the test lets them. */
function aSource() {
  const answers: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const fetch = () => new Promise<number>((resolve, reject) => answers.push({ resolve, reject }));
  return { answers, ask: oneAtATime(fetch) };
}
const turns = () => new Promise(setImmediate);

describe('one question at a time', () => {
  test('a crowd costs two, and nobody gets an answer older than their question', async () => {
    const { answers, ask } = aSource();
    const first = ask('a');
    const crowd = Array.from({ length: 10 }, () => ask('a'));
    expect(answers).toHaveLength(1);
    answers[0]?.resolve(1);
    expect(await first).toBe(1);
    await turns();
    expect(answers).toHaveLength(2);
    answers[1]?.resolve(2);
    expect(await Promise.all(crowd)).toEqual(crowd.map(() => 2));
  });

  test('other things are not waited for', () => {
    const { answers, ask } = aSource();
    void ask('a');
    void ask('b');
    expect(answers).toHaveLength(2);
  });

  test('a failure is shared, and the next question is asked anew', async () => {
    const { answers, ask } = aSource();
    const [one, other] = [ask('a'), ask('a')];
    answers[0]?.reject(new Error('away'));
    await expect(one).rejects.toThrow('away');
    await expect(other).rejects.toThrow('away');
    const again = ask('a');
    answers[1]?.resolve(3);
    expect(await again).toBe(3);
  });
});
