/** An npm package, with code that uses it once. The code sends nothing, except to itself. */
export interface PackageUse {
  readonly name: string;
  readonly version: string;
  readonly imports: string;
  /** An expression for a value, or for a promise of one, that JSON preserves. */
  readonly value: string;
}

/** Packages that some of the others need. */
export const requiredPackages: Readonly<Record<string, string>> = {
  "reflect-metadata": "0.2.2",
};

export const packageUses: readonly PackageUse[] = [
  {
    name: "@apollo/client",
    version: "4.3.8",
    imports: 'import { gql, InMemoryCache } from "@apollo/client";',
    value:
      '(() => { const cache = new InMemoryCache(); const query = gql(["{ a }"]); cache.writeQuery({ query, data: { a: 1 } }); return cache.extract(); })()',
  },
  {
    name: "@aws-sdk/client-s3",
    version: "3.1175.0",
    imports: 'import { S3Client, GetObjectCommand } from "@aws-sdk/client-s3";',
    value:
      '(async () => { const client = new S3Client({ region: "eu-west-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } }); return [await client.config.region(), new GetObjectCommand({ Bucket: "b", Key: "k" }).input]; })()',
  },
  {
    name: "@faker-js/faker",
    version: "10.6.0",
    imports: 'import { faker } from "@faker-js/faker";',
    value: "(faker.seed(7), [faker.person.fullName(), faker.number.int(1000)])",
  },
  {
    name: "@grpc/grpc-js",
    version: "1.14.7",
    imports: 'import grpc from "@grpc/grpc-js";',
    value: "[grpc.status.OK, new grpc.Metadata().getMap()]",
  },
  {
    name: "@grpc/proto-loader",
    version: "0.8.1",
    imports: 'import { fromJSON } from "@grpc/proto-loader";',
    value: 'Object.keys(fromJSON({ nested: { M: { fields: { a: { type: "string", id: 1 } } } } }))',
  },
  {
    name: "@nestjs/common",
    version: "12.5.1",
    imports: 'import "reflect-metadata"; import { HttpException } from "@nestjs/common";',
    value: 'new HttpException("no", 418).getStatus()',
  },
  {
    name: "@nestjs/core",
    version: "12.5.1",
    imports: 'import "reflect-metadata"; import { NestFactory } from "@nestjs/core";',
    value:
      '(async () => { class M {} ; Reflect.defineMetadata("providers", [{ provide: "x", useValue: 4 }], M); const app = await NestFactory.createApplicationContext(M, { logger: false }); const x = app.get("x"); await app.close(); return x; })()',
  },
  {
    name: "@nestjs/swagger",
    version: "12.0.2",
    imports: 'import "reflect-metadata"; import { DocumentBuilder } from "@nestjs/swagger";',
    value: 'new DocumentBuilder().setTitle("t").build()',
  },
  {
    name: "@node-rs/argon2",
    version: "2.2.1",
    imports: 'import { verify, hash } from "@node-rs/argon2";',
    value: '(async () => verify(await hash("a"), "a"))()',
  },
  {
    name: "@trpc/client",
    version: "11.25.2",
    imports: 'import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";',
    value:
      '[typeof createTRPCClient({ links: [httpLink({ url: "http://127.0.0.1:9" })] }), new TRPCClientError("x").message]',
  },
  {
    name: "@trpc/server",
    version: "11.25.2",
    imports: 'import { initTRPC } from "@trpc/server";',
    value:
      "(async () => { const t = initTRPC.create(); return t.createCallerFactory(t.router({ a: t.procedure.query(() => 5) }))({}).a(); })()",
  },
  {
    name: "ajv",
    version: "8.20.0",
    imports: 'import { Ajv } from "ajv";',
    value:
      '[new Ajv().compile({ type: "integer" })(4), new Ajv({ code: { source: true } }).validate({ type: "string" }, 4)]',
  },
  {
    name: "argon2",
    version: "0.45.1",
    imports: 'import argon2 from "argon2";',
    value: '(async () => argon2.verify(await argon2.hash("a"), "a"))()',
  },
  {
    name: "axios",
    version: "1.21.1",
    imports: 'import axios from "axios";',
    value: 'axios.getUri({ url: "/a", params: { b: 1 } })',
  },
  {
    name: "bcrypt",
    version: "6.0.0",
    imports: 'import bcrypt from "bcrypt";',
    value: '(async () => bcrypt.compare("a", await bcrypt.hash("a", 4)))()',
  },
  {
    name: "bcryptjs",
    version: "3.0.3",
    imports: 'import bcrypt from "bcryptjs";',
    value: 'bcrypt.compareSync("a", bcrypt.hashSync("a", 4))',
  },
  {
    name: "chalk",
    version: "6.0.1",
    imports: 'import { Chalk } from "chalk";',
    value: 'new Chalk({ level: 1 }).red("a")',
  },
  {
    name: "cheerio",
    version: "1.2.0",
    imports: 'import { load } from "cheerio";',
    value: 'load("<p class=a>b</p>")(".a").text()',
  },
  {
    name: "class-validator",
    version: "0.15.1",
    imports: 'import { isEmail } from "class-validator";',
    value: 'isEmail("a@b.example")',
  },
  {
    name: "csv-parse",
    version: "7.0.3",
    imports: 'import { parse } from "csv-parse/sync";',
    value: String.raw`parse("a,b\n1,2", { columns: true })`,
  },
  {
    name: "date-fns",
    version: "4.4.0",
    imports: 'import { addDays, format } from "date-fns"; import { de } from "date-fns/locale";',
    value: 'format(addDays(new Date(2026, 1, 27), 2), "PPPP", { locale: de })',
  },
  {
    name: "dayjs",
    version: "1.11.23",
    imports: 'import dayjs from "dayjs"; import utc from "dayjs/plugin/utc.js"; import "dayjs/locale/de.js";',
    value: '(dayjs.extend(utc), dayjs.utc(0).locale("de").format("MMMM YYYY"))',
  },
  {
    name: "dotenv",
    version: "18.0.10",
    imports: 'import { parse } from "dotenv";',
    value: String.raw`parse("A=1\nB='2'")`,
  },
  {
    name: "drizzle-orm",
    version: "0.45.4",
    imports:
      'import { pgTable, integer } from "drizzle-orm/pg-core"; import { getTableName } from "drizzle-orm";',
    value: 'getTableName(pgTable("users", { id: integer() }))',
  },
  {
    name: "ejs",
    version: "7.0.2",
    imports: 'import ejs from "ejs";',
    value: 'ejs.render("<%= a %>", { a: 1 })',
  },
  {
    name: "express",
    version: "5.3.0",
    imports: 'import express from "express"; import { once } from "node:events";',
    value:
      '(async () => { const app = express(); app.get("/", (q, s) => s.json({ a: 1 })); const server = app.listen(0, "127.0.0.1"); await once(server, "listening"); const answer = await (await fetch("http://127.0.0.1:" + server.address().port)).json(); server.close(); return answer; })()',
  },
  {
    name: "fast-xml-parser",
    version: "5.12.1",
    imports: 'import { XMLParser } from "fast-xml-parser";',
    value: 'new XMLParser().parse("<a><b>1</b></a>")',
  },
  {
    name: "fastify",
    version: "5.12.8",
    imports: 'import Fastify from "fastify";',
    value:
      '(async () => { const app = Fastify(); app.get("/", async () => ({ a: 1 })); const { body } = await app.inject("/"); await app.close(); return body; })()',
  },
  {
    name: "form-data",
    version: "4.0.6",
    imports: 'import FormData from "form-data";',
    value:
      '(() => { const form = new FormData(); form.setBoundary("x"); form.append("a", "b"); return form.getBuffer().toString(); })()',
  },
  {
    name: "got",
    version: "16.1.0",
    imports: 'import got, { Options } from "got";',
    value: 'new Options({ url: "http://127.0.0.1/", searchParams: { a: 1 } }).url.href',
  },
  {
    name: "graphql",
    version: "16.15.0",
    imports: 'import { buildSchema, graphql } from "graphql";',
    value: 'graphql({ schema: buildSchema("type Query { a: Int }"), source: "{ a }", rootValue: { a: 1 } })',
  },
  {
    name: "graphql-request",
    version: "7.4.0",
    imports: 'import { gql, GraphQLClient } from "graphql-request";',
    value: '[gql(["{ a }"]), typeof new GraphQLClient("http://127.0.0.1/").request]',
  },
  {
    name: "handlebars",
    version: "4.7.10",
    imports: 'import Handlebars from "handlebars";',
    value: 'Handlebars.compile("{{a}}")({ a: 1 })',
  },
  {
    name: "iconv-lite",
    version: "0.7.3",
    imports: 'import iconv from "iconv-lite";',
    value: '[...iconv.encode("ä€", "win1252"), iconv.decode(Buffer.from([0x82, 0xa0]), "shift_jis")]',
  },
  {
    name: "ioredis",
    version: "5.11.1",
    imports: 'import { Redis } from "ioredis";',
    value: "new Redis({ lazyConnect: true, port: 1 }).status",
  },
  {
    name: "joi",
    version: "18.3.2",
    imports: 'import Joi from "joi";',
    value: '[Joi.string().email().validate("a@b.com").value, Joi.number().validate("x").error.message]',
  },
  {
    name: "jose",
    version: "6.2.18",
    imports: 'import { SignJWT, jwtVerify } from "jose";',
    value:
      '(async () => { const key = new Uint8Array(32); const token = await new SignJWT({ a: 1 }).setProtectedHeader({ alg: "HS256" }).sign(key); return [token, (await jwtVerify(token, key)).payload]; })()',
  },
  {
    name: "js-yaml",
    version: "5.5.0",
    imports: 'import { load } from "js-yaml";',
    value: 'load("a: [1, 2]")',
  },
  {
    name: "jsdom",
    version: "31.0.1",
    imports: 'import { JSDOM } from "jsdom";',
    value:
      'new JSDOM("<p>a<script>document.title = \'b\'</script>", { runScripts: "dangerously" }).window.document.title',
  },
  {
    name: "jsonwebtoken",
    version: "9.0.3",
    imports: 'import jwt from "jsonwebtoken";',
    value: 'jwt.verify(jwt.sign({ a: 1, iat: 1 }, "s"), "s")',
  },
  {
    name: "kafkajs",
    version: "2.2.4",
    imports: 'import { Kafka, CompressionTypes } from "kafkajs";',
    value: '[CompressionTypes.GZIP, typeof new Kafka({ brokers: ["127.0.0.1:9"] }).producer().connect]',
  },
  {
    name: "knex",
    version: "3.3.0",
    imports: 'import knex from "knex";',
    value: 'knex({ client: "pg" })("users").where({ id: 1 }).toString()',
  },
  {
    name: "ky",
    version: "2.1.0",
    imports: 'import ky, { HTTPError } from "ky";',
    value: "[typeof ky.get, HTTPError.name]",
  },
  {
    name: "lodash",
    version: "4.18.1",
    imports: 'import _ from "lodash";',
    value: "_.chunk([1, 2, 3], 2)",
  },
  {
    name: "lodash-es",
    version: "4.18.1",
    imports: 'import { groupBy } from "lodash-es";',
    value: "groupBy([1, 2, 3], (x) => x % 2)",
  },
  {
    name: "moment",
    version: "2.31.0",
    imports: 'import moment from "moment";',
    value: 'moment.utc(0).locale("de").format("MMMM YYYY")',
  },
  {
    name: "mongoose",
    version: "9.12.1",
    imports: 'import mongoose from "mongoose";',
    value:
      'new (mongoose.model("A", new mongoose.Schema({ a: Number })))({ _id: "5f9d88b9c1b9a40017f3b1a1", a: "4" }).toJSON()',
  },
  {
    name: "mqtt",
    version: "5.16.0",
    imports: 'import mqtt from "mqtt";',
    value: 'new mqtt.ErrorWithReasonCode("a", 4).code',
  },
  {
    name: "msw",
    version: "3.0.5",
    imports: 'import { http, HttpResponse } from "msw"; import { setupServer } from "msw/node";',
    value: 'setupServer(http.get("http://a.example/", () => HttpResponse.json({}))).listHandlers().length',
  },
  {
    name: "mysql2",
    version: "3.24.6",
    imports: 'import mysql from "mysql2";',
    value: 'mysql.format("select ?", ["a\'b"])',
  },
  {
    name: "nanoid",
    version: "6.0.2",
    imports: 'import { customAlphabet } from "nanoid";',
    value: 'customAlphabet("a", 5)()',
  },
  {
    name: "node-fetch",
    version: "3.3.2",
    imports: 'import { Headers } from "node-fetch";',
    value: '[...new Headers({ a: "b" })]',
  },
  {
    name: "nunjucks",
    version: "3.2.4",
    imports: 'import nunjucks from "nunjucks";',
    value: 'nunjucks.renderString("{{ a }}", { a: 1 })',
  },
  {
    name: "openai",
    version: "7.57.0",
    imports: 'import OpenAI from "openai";',
    value: 'new OpenAI({ apiKey: "a", baseURL: "http://127.0.0.1/v1" }).baseURL',
  },
  {
    name: "papaparse",
    version: "5.7.1",
    imports: 'import Papa from "papaparse";',
    value: String.raw`Papa.parse("a,b\n1,2", { header: true }).data`,
  },
  {
    name: "pg",
    version: "8.23.1",
    imports: 'import pg from "pg";',
    value: '[pg.escapeLiteral("a\'b"), new pg.Client({ host: "h" }).host]',
  },
  {
    name: "pino",
    version: "10.4.0",
    imports: 'import pino from "pino";',
    value: 'new Promise((resolve) => pino({ base: null, timestamp: false }, { write: resolve }).info("a"))',
  },
  {
    name: "piscina",
    version: "5.3.2",
    imports: 'import { Piscina } from "piscina";',
    value:
      '(async () => { const pool = new Piscina({ filename: new URL("./double.mjs", import.meta.url).href, maxThreads: 1 }); const result = await pool.run(4); await pool.destroy(); return result; })()',
  },
  {
    name: "protobufjs",
    version: "8.8.1",
    imports: 'import protobuf from "protobufjs";',
    value:
      '(() => { const M = protobuf.parse(\'syntax = "proto3"; message M { int32 a = 1; }\').root.lookupType("M"); return [...M.encode({ a: 300 }).finish()]; })()',
  },
  {
    name: "qs",
    version: "6.17.1",
    imports: 'import qs from "qs";',
    value: "qs.stringify({ a: { b: [1, 2] } })",
  },
  {
    name: "ramda",
    version: "0.32.0",
    imports: 'import { pipe, map, sum } from "ramda";',
    value: "pipe(map((x) => x + 1), sum)([1, 2])",
  },
  {
    name: "redis",
    version: "6.3.1",
    imports: 'import { createClient } from "redis";',
    value: 'createClient({ url: "redis://127.0.0.1:1" }).isOpen',
  },
  {
    name: "rxjs",
    version: "7.8.2",
    imports: 'import { firstValueFrom, of, map } from "rxjs";',
    value: "firstValueFrom(of(1).pipe(map((x) => x + 1)))",
  },
  {
    name: "sanitize-html",
    version: "2.18.1",
    imports: 'import sanitize from "sanitize-html";',
    value: 'sanitize("<b onclick=x>a</b><script>1</script>")',
  },
  {
    name: "sequelize",
    version: "6.37.8",
    imports: 'import { Sequelize, DataTypes } from "sequelize";',
    value:
      '(() => { const sequelize = new Sequelize("postgres://127.0.0.1/x"); return [sequelize.define("a", { b: DataTypes.STRING }).getTableName(), sequelize.escape("a\'b")]; })()',
  },
  {
    name: "sequelize-typescript",
    version: "2.1.6",
    imports: 'import "reflect-metadata"; import { Sequelize } from "sequelize-typescript";',
    value: 'new Sequelize({ dialect: "postgres", logging: false }).getDialect()',
  },
  {
    name: "sharp",
    version: "0.35.5",
    imports: 'import sharp from "sharp";',
    value:
      '(async () => { const png = await sharp({ create: { width: 2, height: 3, channels: 3, background: "red" } }).png().toBuffer(); const { width, height } = await sharp(png).metadata(); return { width, height }; })()',
  },
  {
    name: "socket.io-client",
    version: "4.8.4",
    imports: 'import { io } from "socket.io-client";',
    value: 'io("http://127.0.0.1:9", { autoConnect: false }).connected',
  },
  {
    name: "socket.io",
    version: "4.8.4",
    imports: 'import { Server } from "socket.io";',
    value: "new Server().path()",
  },
  {
    name: "stripe",
    version: "23.1.0",
    imports: 'import Stripe from "stripe";',
    value:
      'new Stripe("sk_test_a").webhooks.generateTestHeaderString({ payload: "{}", secret: "s", timestamp: 1 })',
  },
  {
    name: "superagent",
    version: "10.4.2",
    imports: 'import superagent from "superagent";',
    value: 'superagent.get("http://127.0.0.1/").query({ a: 1 }).url',
  },
  {
    name: "tough-cookie",
    version: "6.1.0",
    imports: 'import { Cookie } from "tough-cookie";',
    value: 'Cookie.parse("a=b; Path=/").toString()',
  },
  {
    name: "typeorm",
    version: "1.1.1",
    imports: 'import "reflect-metadata"; import { DataSource } from "typeorm";',
    value:
      'new DataSource({ type: "postgres", host: "127.0.0.1" }).createQueryBuilder().select("1").from("a", "a").getQuery()',
  },
  {
    name: "undici",
    version: "8.13.1",
    imports: 'import { Headers, MockAgent } from "undici";',
    value: '[...new Headers({ a: "b" }), typeof new MockAgent().intercept]',
  },
  {
    name: "uuid",
    version: "14.0.3",
    imports: 'import { v5 } from "uuid";',
    value: 'v5("a", v5.DNS)',
  },
  {
    name: "winston",
    version: "3.19.0",
    imports: 'import winston from "winston";',
    value: 'winston.format.json().transform({ level: "info", message: "a" }, {})',
  },
  {
    name: "ws",
    version: "8.23.0",
    imports: 'import { WebSocket, WebSocketServer } from "ws"; import { once } from "node:events";',
    value:
      '(async () => { const server = new WebSocketServer({ port: 0, host: "127.0.0.1" }); await once(server, "listening"); server.on("connection", (s) => s.send("a")); const client = new WebSocket("ws://127.0.0.1:" + server.address().port); const [data] = await once(client, "message"); client.close(); server.close(); return String(data); })()',
  },
  {
    name: "yaml",
    version: "2.9.1",
    imports: 'import { parse } from "yaml";',
    value: 'parse("a: [1, 2]")',
  },
  {
    name: "yup",
    version: "1.7.1",
    imports: 'import { string } from "yup";',
    value: 'string().email().isValid("a@b.example")',
  },
  {
    name: "zod",
    version: "4.6.7",
    imports: 'import { z } from "zod";',
    value: "z.object({ a: z.string() }).safeParse({ a: 1 }).error.issues",
  },
];
