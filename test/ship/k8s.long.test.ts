// The files of deploy/k8s: valid for Kubernetes, with exactly the settings that each process reads. It needs Go for kustomize and kubeconform, which it compiles
// the first time, so it is in the long tier.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig as readSandboxConfig } from '../../sandbox/config.js';
import { go } from '../clients/go.js';
import { ROOT, variablesReadBy } from '../support/built-processes.js';
import {
  environmentOf,
  manifestsIn,
  podsIn,
  problemsOf,
  rendered,
  secretsIn,
  type Manifest,
  type Pod,
} from '../support/kubernetes.js';
import { READERS, expectMatching, freshSecrets } from '../support/process-settings.js';

const lack = await go.lack();
if (lack !== undefined) process.stdout.write(`deploy/k8s is not validated: ${lack}\n`);

const K8S = join(ROOT, 'deploy', 'k8s');
const SCRATCH = join(ROOT, '.data', 'k8s-test');

async function kustomization(folder: string, lines: readonly string[]): Promise<string> {
  const path = join(SCRATCH, folder);
  await mkdir(path, { recursive: true });
  const above = relative(path, K8S);
  await writeFile(join(path, 'kustomization.yaml'), lines.join('\n').replaceAll('K8S', above));
  return path;
}

const release = (version: string, more: readonly string[]) => [
  ...more,
  `nameSuffix: -${version.replaceAll('.', '-')}`,
  'images: [{ name: payto-agreements, newTag: ' + version + ' }]',
  `labels: [{ pairs: { app.kubernetes.io/version: ${version} }, includeSelectors: true }]`,
];

/** Production while two releases run, the next one with autoscaling, and a third by queue. */
async function upgrading(): Promise<string> {
  await kustomization('next', release('0.2.0', ['resources: [K8S/worker]', 'components: [K8S/autoscaling]']));
  await kustomization('queues', release('0.3.0', ['resources: [K8S/worker-queues]']));
  return kustomization('all', [
    'resources: [K8S/overlays/production, ../next, ../queues]',
    'namespace: payto',
  ]);
}

describe.skipIf(lack !== undefined)('deploy/k8s', () => {
  const yamls: Record<string, string> = {};
  const of = (name: string): Manifest[] => manifestsIn(yamls[name] ?? '');
  beforeAll(async () => {
    for (const [name, folder] of Object.entries({
      sandbox: join(K8S, 'overlays', 'sandbox'),
      production: join(K8S, 'overlays', 'production'),
      migration: join(K8S, 'overlays', 'production', 'migration'),
      upgrading: await upgrading(),
    }))
      yamls[name] = await rendered(folder);
  });

  test('is valid for Kubernetes, and a wrong field is found', async () => {
    expect(await problemsOf(Object.values(yamls).join('\n---\n'))).toEqual([]);
    const wrong = (yamls['production'] ?? '').replaceAll('terminationGracePeriodSeconds', 'gracePeriod');
    expect(await problemsOf(wrong)).not.toEqual([]);
  });

  test.each(['sandbox', 'production', 'migration'])(
    'gives each process of %s what it reads',
    async (name) => {
      const manifests = of(name);
      const secrets = name === 'sandbox' ? secretsIn(manifests) : await freshSecrets();
      for (const pod of podsIn(manifests)) {
        const reader = READERS[pod.program];
        if (reader === undefined) continue;
        const environment = environmentOf(pod, manifests, secrets);
        const names = Object.keys(environment);
        const isRead = await variablesReadBy(reader.room);
        expect(names.filter((variable) => !isRead.has(variable))).toEqual([]);
        expect(() => reader.read(environment), `${name} ${pod.name}`).not.toThrow();
      }
    },
  );

  test('needs the Secrets that the documentation lists', async () => {
    const page = await readFile(join(ROOT, 'docs', 'deployment.md'), 'utf8');
    for (const [secret, values] of Object.entries(await freshSecrets())) {
      const row = page.split('\n').find((line) => line.trim().startsWith(`| \`${secret}\``));
      for (const key of Object.keys(values)) expect(row, secret).toContain(`\`${key}\``);
    }
  });

  test('gives the processes of the sandbox matching settings', async () => {
    const manifests = of('sandbox');
    const settings = (program: string) => {
      const pod = podsIn(manifests).find((one) => one.program === program);
      if (pod === undefined) throw new Error(`expected a pod that runs ${program}`);
      return environmentOf(pod, manifests, secretsIn(manifests));
    };
    const sandbox = readSandboxConfig(settings('dist/sandbox/main.js'));
    await expectMatching(settings('dist/api/main.js'), settings('dist/worker/main.js'), sandbox, {
      api: 'payto-api',
      sandbox: 'sandbox',
    });
  });

  test('keeps workers of each release and queue apart, and gives each its release', () => {
    const workers = podsIn(of('upgrading')).filter(({ program }) => program === 'dist/worker/main.js');
    const queues = ['money', 'reads', 'sweeps', 'records', 'events'];
    expect(new Set(workers.map(({ name }) => name))).toEqual(
      new Set([
        'payto-worker-0-1-0',
        'payto-worker-0-2-0',
        ...queues.map((queue) => `payto-worker-${queue}-0-3-0`),
      ]),
    );
    for (const { name, labels, image, env } of workers) {
      const version = labels['app.kubernetes.io/version'];
      expect(name.endsWith(String(version).replaceAll('.', '-')), name).toBe(true);
      expect(image).toMatch(new RegExp(`:${version}$`));
      const queue = env.find((variable) => variable.name === 'WORKER_QUEUES')?.value;
      expect(queue).toBe(labels['payto/queue']);
    }
    const scaled = of('upgrading').find(({ kind }) => kind === 'HorizontalPodAutoscaler');
    expect(scaled).toMatchObject({ spec: { scaleTargetRef: { name: 'payto-worker-0-2-0' } } });
    const deployments = of('upgrading').filter(({ kind }) => kind === 'Deployment');
    const without = deployments.filter(({ spec }) => !Object.hasOwn(spec ?? {}, 'replicas'));
    expect(without.map(({ metadata }) => metadata.name)).toEqual(['payto-worker-0-2-0']);
  });

  test('every pod is confined, and every process of ours has a budget of disruption', () => {
    const all = [...of('sandbox'), ...of('upgrading'), ...of('migration')];
    for (const pod of podsIn(all)) expect(confinementOf(pod), pod.name).toEqual(CONFINED);
    const budgets = of('upgrading').filter(({ kind }) => kind === 'PodDisruptionBudget');
    const deployments = of('upgrading').filter(({ kind }) => kind === 'Deployment');
    expect(budgets.map(({ metadata }) => metadata.name)).toEqual(
      deployments.map(({ metadata }) => metadata.name),
    );
  });
});

const CONFINED = {
  ...{ isRoot: false, seccomp: 'RuntimeDefault', token: false, readOnly: true },
  ...{ drops: ['ALL'], escalates: false, requests: ['cpu', 'memory'], limits: ['memory'] },
};

const confinementOf = ({ spec, container }: Pod): unknown => ({
  isRoot: spec.securityContext.runAsNonRoot !== true,
  seccomp: spec.securityContext.seccompProfile.type,
  token: spec.automountServiceAccountToken,
  readOnly: container.securityContext.readOnlyRootFilesystem,
  drops: container.securityContext.capabilities.drop,
  escalates: container.securityContext.allowPrivilegeEscalation,
  requests: Object.keys(container.resources.requests),
  limits: Object.keys(container.resources.limits),
});
