// Reads the pods of rendered Kubernetes files: their program, their confinement and their environment.
import { z } from 'zod';
import type { Manifest } from './kubernetes.js';

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
