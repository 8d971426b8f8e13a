// Orders of a small shop, for looking around: always the same ones.

import { AdminError, containers, databases, items } from './admin';
import type { Json } from './exact_json';

const database = 'shop';
const container = 'orders';
const orders = 400;
const customers = 40;
const atOnce = 8;

const products = ['orrery, brass', 'star chart', 'sextant', 'telescope', 'globe', 'astrolabe'];
const cities = ['Oslo', 'Lisbon', 'Kyoto', 'Lima', 'Accra'];

function order(number: number): Json {
  const customer = (number * number) % customers;
  const total = ((number * 7919) % 20_000) / 100 + 5;
  return {
    id: String(number + 1),
    customer: `customer-${customer}`,
    city: cities[customer % cities.length]!,
    product: products[number % products.length]!,
    quantity: (number % 4) + 1,
    total: Math.round(total * 100) / 100,
    month: `2026-${String((number % 12) + 1).padStart(2, '0')}`,
  };
}

async function unlessThere(made: Promise<unknown>): Promise<void> {
  try {
    await made;
  } catch (error) {
    if (!(error instanceof AdminError) || error.status !== 409) throw error;
  }
}

export async function loadSample(): Promise<void> {
  await unlessThere(databases.create(database));
  await unlessThere(containers.create(database, { id: container, partitionKey: { paths: ['/customer'], kind: 'Hash' }, throughput: { manual: 20_000 } }));
  for (let first = 0; first < orders; first += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, orders - first) }, (_, i) => unlessThere(items.create(database, container, order(first + i)))));
  }
}
