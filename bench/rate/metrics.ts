// Temporal's own count of billable actions, from its metrics endpoint.

/** Temporal Cloud bills a tenth of an action more for each action of tasks with a fairness key. */
export const FAIRNESS_FACTOR = 1.1;

const LINE = /^action(?:_total)?\{(?<labels>[^}]*)\} (?<value>\S+)$/;

/** The sum of the counter `action` in a namespace. @param text in the format of Prometheus. */
export function actionsIn(text: string, namespace: string): number {
  let sum = 0;
  for (const line of text.split('\n')) {
    const { labels = '', value } = LINE.exec(line)?.groups ?? {};
    if (labels.split(',').includes(`namespace="${namespace}"`)) sum += Number(value);
  }
  return sum;
}

/** @param url of the server's metrics. */
export async function readActions(url: string, namespace: string): Promise<number> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(`expected the metrics of Temporal at ${url}; received ${response.status}`);
  return actionsIn(await response.text(), namespace);
}
