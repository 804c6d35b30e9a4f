// Renders and validates the files of deploy/k8s with pinned Go tools, and reads their pods. Kubernetes' own document is the source of the schemas.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { ROOT } from './built-processes.js';

const KUSTOMIZE = 'sigs.k8s.io/kustomize/kustomize/v5@v5.7.1';
const KUBECONFORM = 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0';
const KUBERNETES = 'k8s.io/kubernetes@v1.36.3';

const go = (words: readonly string[], input?: string) =>
  execa('go', words, { env: { GOTOOLCHAIN: 'local' }, ...(input === undefined ? {} : { input }) });

/** @returns what kustomize makes of a folder, as YAML. */
export async function rendered(folder: string): Promise<string> {
  const { stdout } = await go(['run', KUSTOMIZE, 'build', folder]);
  return stdout;
}

const Manifest = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({}).optional(),
});
export type Manifest = z.output<typeof Manifest>;

export const manifestsIn = (yaml: string): Manifest[] =>
  parseAllDocuments(yaml).map((document) => Manifest.parse(document.toJS({ merge: true })));

/** @returns the problems that kubeconform finds, none if all is valid. Unknown fields are problems too. */
export async function problemsOf(yaml: string): Promise<string[]> {
  const schemas = await schemasFolder();
  const location = join(schemas, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
  const { stdout, failed } = await execa(
    'go',
    ['run', KUBECONFORM, '-strict', '-output', 'tap', '-schema-location', location],
    { env: { GOTOOLCHAIN: 'local' }, input: yaml, reject: false },
  );
  const problems = stdout.split('\n').filter((line) => line.startsWith('not ok'));
  if (failed && problems.length === 0) throw new Error(`kubeconform failed: ${stdout}`);
  return problems;
}

type Definition = Record<string, unknown>;
const Swagger = z.object({ definitions: z.record(z.string(), z.record(z.string(), z.unknown())) });
const Kinds = z.array(z.object({ group: z.string(), version: z.string(), kind: z.string() }));

let made: Promise<string> | undefined;
const schemasFolder = (): Promise<string> => (made ??= makeSchemas());

/** A file for each kind of Kubernetes. */
async function makeSchemas(): Promise<string> {
  const { stdout } = await go(['mod', 'download', '-json', KUBERNETES]);
  const { Dir } = z.object({ Dir: z.string() }).parse(JSON.parse(stdout));
  const text = await readFile(join(Dir, 'api', 'openapi-spec', 'swagger.json'), 'utf8');
  const { definitions } = Swagger.parse(JSON.parse(text));
  for (const [name, definition] of Object.entries(definitions)) definitions[name] = strict(name, definition);
  const folder = join(ROOT, '.data', 'kubernetes-schemas');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, definition] of Object.entries(definitions))
    for (const { group, version, kind } of Kinds.parse(definition['x-kubernetes-group-version-kind'] ?? [])) {
      const suffix = [...(group === '' ? [] : [group.split('.')[0]]), version].join('-');
      const schema = { $ref: `#/definitions/${name}`, definitions: reachable(name, definitions) };
      await writeFile(join(folder, `${kind}-${suffix}.json`.toLowerCase()), JSON.stringify(schema));
    }
  return folder;
}

/** These are written as a number or a text. */
const EITHER = /\.(IntOrString|Quantity)$/;

function strict(name: string, definition: Definition): Definition {
  if (EITHER.test(name)) return { type: ['string', 'number'] };
  return 'properties' in definition ? { additionalProperties: false, ...definition } : definition;
}

/** The definitions that one refers to, itself included. */
function reachable(
  first: string,
  definitions: Readonly<Record<string, Definition>>,
): Record<string, Definition> {
  const found: Record<string, Definition> = {};
  const open = [first];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const definition = definitions[name];
    if (definition === undefined || name in found) continue;
    found[name] = definition;
    for (const [, next = ''] of JSON.stringify(definition).matchAll(/"#\/definitions\/([^"]+)"/g))
      open.push(next);
  }
  return found;
}

const Reference = z.object({ name: z.string(), key: z.string(), optional: z.boolean().optional() });
const Variable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .object({
      secretKeyRef: Reference.optional(),
      fieldRef: z.object({ fieldPath: z.string() }).optional(),
    })
    .optional(),
});
const Container = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  env: z.array(Variable).default([]),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  resources: z.object({
    requests: z.record(z.string(), z.string()),
    limits: z.record(z.string(), z.string()),
  }),
  securityContext: z.object({
    readOnlyRootFilesystem: z.boolean(),
    allowPrivilegeEscalation: z.boolean(),
    capabilities: z.object({ drop: z.array(z.string()) }),
  }),
});
const Template = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.object({
    automountServiceAccountToken: z.boolean(),
    securityContext: z.object({
      runAsNonRoot: z.boolean(),
      seccompProfile: z.object({ type: z.string() }),
    }),
    containers: z.tuple([Container]),
  }),
});
const OfDeployment = z.object({ spec: z.object({ template: Template }) });
const OfCronJob = z.object({ spec: z.object({ jobTemplate: OfDeployment }) });

export interface Pod {
  name: string;
  labels: Record<string, string>;
  image: string;
  /** The file that Node runs, or the last word of the command. */
  program: string;
  env: z.output<typeof Variable>[];
  spec: z.output<typeof Template>['spec'];
  container: z.output<typeof Container>;
}

export const podsIn = (manifests: readonly Manifest[]): Pod[] =>
  manifests.flatMap((manifest): Pod[] => {
    if (!['Deployment', 'Job', 'CronJob'].includes(manifest.kind)) return [];
    const { spec: outer } =
      manifest.kind === 'CronJob' ? OfCronJob.parse(manifest).spec.jobTemplate : OfDeployment.parse(manifest);
    const { metadata, spec } = outer.template;
    const [container] = spec.containers;
    const program = container.command.find((word) => word.endsWith('.js')) ?? '';
    const { image, env } = container;
    return [{ name: manifest.metadata.name, labels: metadata.labels, image, program, env, spec, container }];
  });

/** The values of each Secret, by its name. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

const WithData = z.object({ data: z.record(z.string(), z.string()) });

/** Those in the files themselves, as in the sandbox. */
export const secretsIn = (manifests: readonly Manifest[]): Secrets =>
  Object.fromEntries(
    manifests
      .filter(({ kind }) => kind === 'Secret')
      .map((secret) => [
        secret.metadata.name,
        Object.fromEntries(
          Object.entries(WithData.parse(secret).data).map(([key, value]) => [
            key,
            Buffer.from(value, 'base64').toString(),
          ]),
        ),
      ]),
  );

/** @throws Error if a ConfigMap, or a key of a Secret, is missing. */
export function environmentOf(
  { name, labels, container }: Pod,
  manifests: readonly Manifest[],
  secrets: Secrets,
): Record<string, string> {
  const maps = container.envFrom.map(({ configMapRef }) => {
    const map = manifests.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef.name,
    );
    if (map === undefined) throw new Error(`${name}: expected a ConfigMap ${configMapRef.name}; found none`);
    return WithData.parse(map).data;
  });
  const own = container.env.flatMap(({ name: variable, value, valueFrom }): [string, string][] => {
    const field = /^metadata\.labels\['(.+)'\]$/.exec(valueFrom?.fieldRef?.fieldPath ?? '')?.[1];
    const secret = valueFrom?.secretKeyRef;
    const found =
      value ??
      (field === undefined ? undefined : labels[field]) ??
      (secret === undefined ? undefined : secrets[secret.name]?.[secret.key]);
    if (found === undefined && secret?.optional === true) return [];
    if (found === undefined) throw new Error(`${name}: expected a value of ${variable}; found none`);
    return [[variable, found]];
  });
  return Object.fromEntries([...maps.flatMap((map) => Object.entries(map)), ...own]);
}
