// Links in responses: paths of this API, and the workflow's page in Temporal's UI.
import { RESOURCES, workflowIdOf, type ResourceName } from '../../domain/resources.js';

export interface TemporalUi {
  url: string | undefined;
  namespace: string;
}

const pageOf = ({ url, namespace }: TemporalUi, workflowId: string): string | null =>
  url === undefined
    ? null
    : `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;

/** The path of a resource. The id of a notification contains a slash, so it is encoded. */
export const pathTo = (resource: ResourceName, uid: string): string =>
  `/v1/${RESOURCES[resource].plural}/${encodeURIComponent(uid)}`;

/** @param more the links to related resources. */
export const linksOf = <More extends object>(
  ui: TemporalUi,
  resource: ResourceName,
  uid: string,
  more: More,
) => ({
  self: pathTo(resource, uid),
  ...more,
  temporal_ui: pageOf(ui, workflowIdOf(resource, uid)),
});

/** The links of a resource with a timeline. */
export const recordedLinks = <More extends object>(
  ui: TemporalUi,
  resource: ResourceName,
  uid: string,
  more: More,
) => linksOf(ui, resource, uid, { timeline: `${pathTo(resource, uid)}/timeline`, ...more });

/** Lists of the payments and refunds that a stop holds back, for one connection or for all. */
export function stopLinks(connectionId: string | undefined) {
  const waiting = new URLSearchParams({
    awaiting: 'stop',
    ...(connectionId && { connection: connectionId }),
  });
  return { payments: `/v1/payments?${waiting.toString()}`, refunds: `/v1/refunds?${waiting.toString()}` };
}

/** The link to the next page. Empty on the last page. */
export function nextPage(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  cursor: string | undefined,
): { next?: string } {
  return cursor === undefined ? {} : { next: pathOf(path, { ...query, cursor }) };
}

/** A path with the parameters that have a value. */
export function pathOf(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return `${path}?${parameters.toString()}`;
}
