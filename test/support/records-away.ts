import type { RecordReader } from '../../records/read.js';

const away = (): Promise<never> => Promise.reject(new Error('the test has no records'));

export const RECORDS_AWAY: RecordReader = {
  row: away,
  remembered: away,
  keyUse: away,
  bindKey: away,
  freeKey: away,
  list: away,
  changed: away,
  timeline: away,
  totals: away,
  settlementReport: away,
  count: away,
  connectionIds: away,
  clientUid: away,
  connectionOf: away,
  beneath: away,
  counterpartiesWith: away,
  floatEntries: away,
  statement: away,
  candidates: away,
  duplicates: away,
  reconcile: away,
  expected: away,
  async *journal() {
    yield await away();
  },
  events: away,
  event: away,
  placeBefore: away,
  newestPlace: away,
  webhookEndpoints: {
    create: away,
    list: away,
    read: away,
    change: away,
    remove: away,
    resolveFlag: away,
    rotateSecret: away,
    startReplay: away,
    deliveries: away,
    delivery: away,
    confirmKeys: away,
  },
};
