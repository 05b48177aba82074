import { expect, it } from 'vitest';
import { kMeans } from '../../activities/k-means.js';

const never = new AbortController().signal;

/** Points around three places far from each other. */
const vectors = Array.from({ length: 60 }, (_, i) => [
  (i % 3) * 10 + Math.sin(i),
  (i % 3) * -5 + Math.cos(i),
]);

it('finds clusters that lie apart, and the same ones each time', async () => {
  const labels = await kMeans(vectors, 3, 1, never);
  expect(labels).toHaveLength(60);
  for (const [i, label] of labels.entries()) expect(label).toBe(labels[i % 3]);
  expect(new Set(labels).size).toBe(3);
  expect(await kMeans(vectors, 3, 1, never)).toEqual(labels);
  expect(await kMeans(vectors, 3, 0, never)).toEqual(await kMeans(vectors, 3, 0, never));
});

it('starts several times, so that no seed ends in a poor solution', async () => {
  const groups = 25;
  const grid = Array.from({ length: 250 }, (_, i) => {
    const group = i % groups;
    const [x, y] = [4 * (group % 5), 4 * Math.floor(group / 5)];
    return [x + Math.sin(i * 7) * 0.8, y + Math.cos(i * 3) * 0.8];
  });
  for (let seed = 0; seed < 6; seed++) {
    const labels = await kMeans(grid, groups, seed, never);
    expect(new Set(labels.slice(0, groups)).size).toBe(groups);
    expect(labels.every((label, i) => label === labels[i % groups])).toBe(true);
  }
});

it('takes vectors that are all the same', async () => {
  const same = Array.from({ length: 5 }, () => [1, 2]);
  expect(await kMeans(same, 2, 0, never)).toHaveLength(5);
});

it('tells what the library refuses', async () => {
  await expect(kMeans([[1], [2]], 3, 0, never)).rejects.toThrow(/K should be/);
});

it('stops when it is told to', async () => {
  const many = Array.from({ length: 4000 }, (_, i) =>
    Array.from({ length: 200 }, (_, j) => Math.sin(i * j + i)),
  );
  const controller = new AbortController();
  const running = kMeans(many, 50, 0, controller.signal);
  setTimeout(() => controller.abort(new Error('enough')), 50);
  await expect(running).rejects.toThrow('enough');
});
