// The pages for what went wrong. A resource that does not exist and one that the key must not see are the same page.
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiKey } from '../../http/api-keys.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { answerError } from '../../http/problems/errors.js';
import { showPage } from '../layout.js';
import type { Problem } from '../own-api.js';
import { ProblemNotice } from '../parts.js';

/** Who reads the page. */
interface Visitor {
  c: Context<Env>;
  key: ApiKey;
  formToken: string;
}

/** Answers a refusal of the API as a page. */
export function showProblem(visit: Visitor, problem: Problem, what: string): Response | Promise<Response> {
  const isMissing = problem.status === 404 || problem.status === 400;
  const content = isMissing ? (
    <>
      <p>There is no {what}, or your key must not see it.</p>
      <p>
        <a href="/console/search">Search for another uid</a>
      </p>
    </>
  ) : (
    <ProblemNotice problem={problem} />
  );
  const title = isMissing ? 'Not found' : 'Not available';
  const status = isMissing ? 404 : (problem.status as ContentfulStatusCode);
  return showPage(visit.c, { title, content, session: visit, status });
}

/** Answers an error as a page, because people cannot read JSON. It is logged as one of the API. */
export async function showFailure(
  visit: Visitor & { dependencies: Pick<ApiDependencies, 'log'> },
  error: unknown,
): Promise<Response> {
  const { c, dependencies } = visit;
  const thrown = error instanceof Error ? error : new Error(String(error));
  const answer = answerError(dependencies.log)(thrown, c);
  const content = (
    <>
      <ProblemNotice problem={(await answer.json()) as Problem} />
      <p>
        Request id: <code>{c.get('requestId')}</code>
      </p>
    </>
  );
  const status = answer.status as ContentfulStatusCode;
  return showPage(c, { title: 'Not available', content, session: visit, status });
}
