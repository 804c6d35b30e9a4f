// The page for a resource that does not exist, or that the key must not see: both in the same words.
import { showPage } from '../layout.js';
import type { Problem } from '../own-api.js';
import { ProblemNotice } from '../parts.js';
import type { Answer, Visit } from '../visit.js';

/** Answers a refusal of the API as a page. */
export function showProblem(visit: Visit, problem: Problem, what: string): Answer {
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
  const status = isMissing ? 404 : problem.status === 403 ? 403 : 503;
  return showPage(visit.c, { title, content, session: visit, status });
}
