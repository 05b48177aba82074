/** What the processes that this one has started take, as Linux tells it. */
import { readdir, readFile } from 'node:fs/promises';

export interface ProcessUsage {
  rssMb: number;
  cpuMs: number;
}

/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

/** Sums over the living descendants of this process whose command line has all of these words. */
export async function usageOf(...words: string[]): Promise<ProcessUsage> {
  const all = await processes();
  const ours = new Set([process.pid]);
  for (let grew = true; grew; ) {
    const more = all.filter(({ pid, parent }) => ours.has(parent) && !ours.has(pid));
    for (const { pid } of more) ours.add(pid);
    grew = more.length > 0;
  }
  const sum = { rssMb: 0, cpuMs: 0 };
  for (const { pid, cpuMs } of all) {
    if (pid === process.pid || !ours.has(pid)) continue;
    const [command, status] = await Promise.all(['cmdline', 'status'].map((f) => read(pid, f)));
    if (!words.every((word) => command?.includes(word))) continue;
    sum.rssMb += Number(/VmRSS:\s+(\d+)/.exec(status ?? '')?.[1] ?? 0) / 1024;
    sum.cpuMs += cpuMs;
  }
  return { rssMb: Math.round(sum.rssMb), cpuMs: sum.cpuMs };
}

async function processes() {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // The name in brackets may hold anything; what follows it are numbers.
      const fields = (await read(pid, 'stat')).replace(/^.*\) /s, '').split(' ');
      const ticks = Number(fields[11]) + Number(fields[12]);
      return { pid, parent: Number(fields[1]), cpuMs: ticks * MS_PER_TICK };
    }),
  );
  return found.filter(({ parent }) => !Number.isNaN(parent));
}

/** Empty for a process that has just ended. */
function read(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
