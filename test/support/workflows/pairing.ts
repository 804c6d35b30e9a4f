import {
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
  sleep,
  startChild,
} from '@temporalio/workflow';

export const newsCount = defineQuery<number>('newsCount');
export const nudge = defineSignal('nudge');
export const ask = defineUpdate<void>('ask');
export const finish = defineSignal('finish');

export interface Tasks {
  gate: (id: string) => Promise<void>;
  note: (news: string) => Promise<void>;
}
export interface Pairing {
  id: string;
  timerMs: number;
  tasksQueue: string;
  childQueue: string;
}

export async function pairing({ id, timerMs, tasksQueue, childQueue }: Pairing): Promise<void> {
  const { gate, note } = proxyActivities<Tasks>({ startToCloseTimeout: '60 seconds', taskQueue: tasksQueue });
  const news: string[] = [];
  let isOver = false;
  setHandler(newsCount, () => news.length);
  setHandler(nudge, () => void news.push('signal'));
  setHandler(ask, () => void news.push('update'));
  setHandler(finish, () => {
    isOver = true;
  });
  void gate(id).then(() => news.push('activity'));
  void sleep(timerMs).then(() => news.push('timer'));
  void startChild(pairingChild, { workflowId: `${id}/child`, taskQueue: childQueue })
    .then((child) => child.result())
    .catch(() => undefined)
    .then(() => news.push('child'));
  for (let seen = 0; !isOver;) {
    await condition(() => news.length > seen || isOver);
    const all = news.slice(seen).join();
    seen = news.length;
    if (all !== '') void note(all);
  }
}

export async function pairingChild(): Promise<void> {
  await condition(() => false);
}

export async function agreement(): Promise<void> {
  await sleep('1 hour');
}
