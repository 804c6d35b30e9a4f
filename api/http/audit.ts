// Writes the operators' audit log: first as a line of the log, then as a row of the records. A row that cannot be stored waits in memory until the
// database is back; the line remains in any case.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AuditEvent, AuditLog } from '../../records/audit.js';
import { traceOf, type Logger } from '../../telemetry/logger.js';
import type { Env } from './env.js';

export interface Auditor {
  /** Never throws and never delays a response. The caller's key is added. */
  note: (c: Context<Env>, event: Omit<AuditEvent, 'id' | 'requestId'>) => void;
  /** Newest first. @throws the errors of the database. */
  read: AuditLog['read'];
}

const RETRY_MS = 5000;
/** Beyond this, only the log has the events. */
const MOST_WAITING = 10_000;
/** Strangers must not fill the database. The log has all refusals. */
const MOST_UNIDENTIFIED_A_MINUTE = 60;

export function createAuditor(auditLog: AuditLog, log: Logger): Auditor {
  const waiting: AuditEvent[] = [];
  const isBeyondLimit = countPerMinute(MOST_UNIDENTIFIED_A_MINUTE);
  let isStoring = false;
  const store = async (): Promise<void> => {
    if (isStoring) return;
    isStoring = true;
    for (let event = waiting[0]; event !== undefined; event = waiting[0]) {
      try {
        await auditLog.append(event);
        waiting.shift();
      } catch (error) {
        log.warn('audit event waits for the records database', { count: waiting.length, ...traceOf(error) });
        await delay(RETRY_MS, undefined, { ref: false });
      }
    }
    isStoring = false;
  };
  return {
    read: auditLog.read,
    note: (c, event) => {
      const { id: apiKeyId, principal } = c.get('apiKey') ?? {};
      const whole: AuditEvent = {
        ...{ id: randomUUID(), apiKeyId, principal, ...event, requestId: c.get('requestId') },
      };
      const { action, outcome, requestId: request_id } = whole;
      log.info('audit', {
        ...{ action, outcome, request_id },
        ...{ api_key_id: whole.apiKeyId, principal: whole.principal },
      });
      if (waiting.length >= MOST_WAITING || (whole.apiKeyId === undefined && isBeyondLimit())) return;
      waiting.push(whole);
      void store();
    },
  };
}

function countPerMinute(most: number): () => boolean {
  let [minute, count] = [0, 0];
  return () => {
    const current = Math.floor(Date.now() / 60_000);
    [minute, count] = current === minute ? [minute, count + 1] : [current, 1];
    return count > most;
  };
}

/** Only ids. Any other path does not name a resource. */
const PATH = /^\/[\w~./:-]{0,300}$/;

/** The path, as the caller wrote it. A slash within an id is encoded. */
function targetOf(path: string): string | undefined {
  try {
    return PATH.test(decodeURIComponent(path)) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Records each use of a route of operators or decisions that changes something, and each refusal of any such route. */
export const auditUses = (auditor: Auditor, operationId: string, method: string) =>
  createMiddleware<Env>(async (c, next) => {
    await next();
    const problem = c.get('problem');
    const isRefusal = c.res.status === 401 || c.res.status === 403;
    if (method === 'get' && !isRefusal) return;
    const target = targetOf(c.req.path);
    auditor.note(c, { action: operationId, outcome: problem ?? 'done', target, details: c.get('audited') });
  });
