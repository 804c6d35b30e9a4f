// One question at a time to each workflow, however many want to know: Temporal lets a single query wait for a busy
// workflow and turns others away, so a crowd of readers queues here.

/**
 * Those who come while an answer is on its way share the one after it, so that no answer is older than its question.
 * They share its failure too: what cannot be reached for one cannot be reached for all.
 */
export function oneAtATime<T>(fetch: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  const waiting = new Map<string, Promise<T>>();

  const begin = (key: string): Promise<T> => {
    const answer = fetch(key).finally(() => running.delete(key));
    running.set(key, answer);
    return answer;
  };
  const queue = (key: string, current: Promise<T>): Promise<T> => {
    const next = current.finally(() => waiting.delete(key)).then(() => begin(key));
    waiting.set(key, next);
    return next;
  };
  return (key) => {
    const current = running.get(key);
    if (current === undefined) return begin(key);
    return waiting.get(key) ?? queue(key, current);
  };
}
